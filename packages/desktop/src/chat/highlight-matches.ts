// Highlights text inside an element without changing the DOM: the browser draws the highlights.

const name = 'found'
let sheet: CSSStyleSheet | null = null

/** Created here because the CSS build does not support `::highlight` yet. */
function prepare(): void {
  if (sheet) return
  sheet = new CSSStyleSheet()
  sheet.replaceSync(`::highlight(${name}) { background: var(--warn); color: var(--canvas); }`)
  document.adoptedStyleSheets.push(sheet)
}

export function highlightMatches(element: HTMLElement | null, typed: string): void {
  if (typeof Highlight === 'undefined') return
  prepare()
  CSS.highlights.delete(name)
  const query = typed.trim().toLowerCase()
  if (!element || query === '') return
  const ranges: Range[] = []
  const walker = document.createTreeWalker(element, NodeFilter.SHOW_TEXT)
  for (let node = walker.nextNode(); node; node = walker.nextNode()) {
    const text = (node.nodeValue ?? '').toLowerCase()
    for (let at = text.indexOf(query); at >= 0; at = text.indexOf(query, at + query.length)) {
      const range = new Range()
      range.setStart(node, at)
      range.setEnd(node, at + query.length)
      ranges.push(range)
    }
  }
  if (ranges.length > 0) CSS.highlights.set(name, new Highlight(...ranges))
}
