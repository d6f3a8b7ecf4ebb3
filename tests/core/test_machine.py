"""What the kernels say about the machine and about how they were built."""

from ludorum._core import build_info, vector_width


def test_vector_width_is_one_of_the_widths_kernels_are_written_for() -> None:
    assert vector_width() in {64, 128, 256, 512}


def test_kernels_are_built_as_cpp20() -> None:
    info = build_info()
    assert info["cpp_standard"] >= 202002
    assert info["pointer_bits"] in {32, 64}
    assert info["compiler"]
