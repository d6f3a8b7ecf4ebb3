"""Machines that run the few instructions gates are made of, one by one, as capstone reads them.

Code for any machine can be run here, wherever the tests run: it is the only way to see code for AVX-512 at
work on a machine without it. Anything that is not expected (another instruction, an address that is not
aligned, a slot nobody has given) is an error.
"""

from abc import ABC, abstractmethod
from collections.abc import Iterator
from typing import Any

import capstone  # type: ignore[import-untyped]

SLOTS, STACK = 1 << 24, 1 << 20
"""Where the slots begin, and where the stack does; it grows downwards."""

LOW = (1 << 64) - 1


class Operand:
    """A register, a number, or a place in memory: the distance from what a register holds."""

    def __init__(self, instruction: Any, operand: Any) -> None:
        self.in_memory = operand.type == capstone.CS_OP_MEM
        self.register = ""
        self.number = 0
        if self.in_memory:
            assert operand.mem.index == 0
            self.register, self.number = instruction.reg_name(operand.mem.base), int(operand.mem.disp)
        elif operand.type == capstone.CS_OP_REG:
            self.register = instruction.reg_name(operand.reg)
        else:
            shift = operand.shift.value if hasattr(operand, "shift") else 0
            self.number = int(operand.imm) << int(shift)


class VectorMachine(ABC):
    """Registers and memory; vectors and slots are numbers, keyed by their address."""

    reader: Any

    def __init__(self, vector_bytes: int) -> None:
        self.vector_bytes = vector_bytes
        self.ones = (1 << 8 * vector_bytes) - 1
        self.registers: dict[str, int] = {}
        self.memory: dict[int, int] = {}
        self.equal = False

    @abstractmethod
    def call(self, slots: int, end: int) -> None:
        """Registers are as a caller leaves them."""

    @abstractmethod
    def check_return(self) -> None:
        """Registers are as a caller may expect them."""

    @abstractmethod
    def step(self, mnemonic: str, operands: list[Operand]) -> None:
        """One instruction that is no jump."""

    def run(self, code: bytes, columns: int) -> None:
        self.call(SLOTS, SLOTS + columns * self.vector_bytes)
        for mnemonic, operands in self.instructions(code):
            self.step(mnemonic, operands)
        self.check_return()

    def instructions(self, code: bytes) -> Iterator[tuple[str, list[Operand]]]:
        """In the order in which they are run, jumps left out, up to the return at the end."""
        self.reader.detail = True
        found = list(self.reader.disasm(code, 0))
        assert sum(one.size for one in found) == len(code), "there are bytes that mean nothing"
        numbers = {one.address: number for number, one in enumerate(found)}
        at = 0
        while found[at].mnemonic != "ret":
            operands = [Operand(found[at], operand) for operand in found[at].operands]
            jumps = {"b": True, "b.eq": self.equal, "jne": not self.equal}.get(found[at].mnemonic)
            if jumps is None:
                yield found[at].mnemonic, operands
            at = numbers[operands[0].number] if jumps else at + 1
        assert at == len(found) - 1

    def address(self, operand: Operand, size: int) -> int:
        address = self.registers[operand.register] + operand.number
        assert address % size == 0, f"not aligned: {address}"
        return address

    def read(self, operand: Operand) -> int:
        if operand.in_memory:
            return self.memory[self.address(operand, self.vector_bytes)]
        return self.registers[operand.register] if operand.register else operand.number

    def write(self, operand: Operand, value: int) -> None:
        address = self.address(operand, self.vector_bytes)
        assert address >= SLOTS or self.registers[operand.register] <= address < STACK
        self.memory[address] = value


class X86(VectorMachine):
    """x86 with AVX2 or AVX-512."""

    reader = capstone.Cs(capstone.CS_ARCH_X86, capstone.CS_MODE_64)

    def call(self, slots: int, end: int) -> None:
        self.registers = {"rsp": STACK - 8, "rbp": 12345, "rdi": slots, "rsi": end}

    def check_return(self) -> None:
        assert (self.registers["rsp"], self.registers["rbp"]) == (STACK - 8, 12345)

    def step(self, mnemonic: str, operands: list[Operand]) -> None:
        registers = self.registers
        match mnemonic:
            case "push":
                registers["rsp"] -= 8
                self.memory[registers["rsp"]] = self.read(operands[0])
            case "leave":
                registers["rbp"], registers["rsp"] = self.memory[registers["rbp"]], registers["rbp"] + 8
            case "vzeroupper":
                pass
            case "cmp":
                self.equal = self.read(operands[0]) == self.read(operands[1])
            case "vmovdqa" | "vmovdqa32" if operands[0].in_memory:
                self.write(operands[0], self.read(operands[1]))
            case "vpcmpeqd":  # of a register with itself, whatever it holds
                assert operands[1].register == operands[2].register
                registers[operands[0].register] = self.ones
            case _:
                inputs = [self.read(operand) for operand in operands[1:]]
                registers[operands[0].register] = self.value(mnemonic, operands[0].register, inputs)

    def value(self, mnemonic: str, to: str, inputs: list[int]) -> int:
        # A letter at the end says how many bits belong together, which means nothing here.
        match mnemonic:
            case "mov" | "vmovdqa" | "vmovdqa32":
                return inputs[0]
            case "add":
                return self.registers[to] + inputs[0]
            case "sub":
                return self.registers[to] - inputs[0]
            case "and":
                return self.registers[to] & inputs[0]
            case "vpand" | "vpandd":
                return inputs[0] & inputs[1]
            case "vpandn" | "vpandnd":
                return ~inputs[0] & inputs[1]
            case "vpor" | "vpord":
                return inputs[0] | inputs[1]
            case "vpxor" | "vpxord":
                return inputs[0] ^ inputs[1]
            case "vpternlogd":
                return self.by_table(inputs[2], self.registers.get(to, 0), inputs[0], inputs[1])
        raise AssertionError(f"not known: {mnemonic}")

    def by_table(self, table: int, a: int, b: int, c: int) -> int:
        """The bit of the table that the bits of the three numbers count."""
        found = 0
        for row in range(8):
            if table >> row & 1:
                found |= (a if row & 4 else ~a) & (b if row & 2 else ~b) & (c if row & 1 else ~c)
        return found & self.ones


class Arm(VectorMachine):
    """64-bit ARM."""

    reader = capstone.Cs(capstone.CS_ARCH_ARM64, capstone.CS_MODE_ARM)

    def call(self, slots: int, end: int) -> None:
        kept = {f"v{number}": 0x1111_2222_3333_4444_5555 * number for number in range(8, 16)}
        self.registers = kept | {"sp": STACK - 16, "x0": slots, "x1": end}

    def check_return(self) -> None:
        assert self.registers["sp"] == STACK - 16
        for number in range(8, 16):  # the lower halves
            assert self.registers[f"v{number}"] & LOW == 0x1111_2222_3333_4444_5555 * number & LOW

    def read(self, operand: Operand) -> int:
        operand.register = vector_name(operand.register)
        return super().read(operand)

    def step(self, mnemonic: str, operands: list[Operand]) -> None:
        match mnemonic:
            case "cmp":
                self.equal = self.read(operands[0]) == self.read(operands[1])
            case "str":
                self.write(operands[1], self.read(operands[0]))
            case "stp":
                assert operands[0].register.startswith("d")
                for at, operand in enumerate(operands[:2]):
                    self.memory[self.address(operands[2], 8) + 8 * at] = self.read(operand) & LOW
            case "ldp":
                assert operands[0].register.startswith("d")
                for at, operand in enumerate(operands[:2]):
                    held = self.memory[self.address(operands[2], 8) + 8 * at]
                    self.registers[vector_name(operand.register)] = held
            case _:
                to = vector_name(operands[0].register)
                self.registers[to] = self.value(mnemonic, to, [self.read(one) for one in operands[1:]])

    def value(self, mnemonic: str, to: str, inputs: list[int]) -> int:
        match mnemonic:
            case "ldr" | "mov":
                return inputs[0]
            case "mvn":
                return inputs[0] ^ self.ones
            case "add":
                return inputs[0] + inputs[1]
            case "sub":
                return inputs[0] - inputs[1]
            case "and":
                return inputs[0] & inputs[1]
            case "bic":
                return inputs[0] & ~inputs[1]
            case "orr":
                return inputs[0] | inputs[1]
            case "eor":
                return inputs[0] ^ inputs[1]
            case "bsl":
                return choose(self.registers[to], inputs[0], inputs[1])
            case "bit":
                return choose(inputs[1], inputs[0], self.registers[to])
            case "bif":
                return choose(inputs[1], self.registers[to], inputs[0])
        raise AssertionError(f"not known: {mnemonic}")


def choose(condition: int, one: int, other: int) -> int:
    return condition & one | ~condition & other


def vector_name(name: str) -> str:
    """Vectors have several names, by how much of them is meant."""
    return f"v{name[1:]}" if name[:1] in ("q", "d") else name
