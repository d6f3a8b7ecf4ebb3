"""What axe-core finds wrong with a page for people who cannot see it, or not well."""

from __future__ import annotations

from playwright.sync_api import Page

from tests.corpus_location import ROOT

AXE = ROOT / "frontend" / "node_modules" / "axe-core" / "axe.min.js"
AXE_RUN = """async () => {
  const found = await axe.run(document, {resultTypes: ["violations"]});
  const where = one => one.nodes.map(node => node.html.slice(0, 160)).join(" | ");
  return found.violations.map(one => one.id + ": " + where(one));
}"""


def faults_of(page: Page) -> list[str]:
    """The faults, when all movement has come to rest."""
    page.evaluate("() => Promise.all(document.getAnimations().map(one => one.finished.catch(() => 0)))")
    page.evaluate(AXE.read_text(encoding="utf-8"))
    found: list[str] = page.evaluate(AXE_RUN)
    return found
