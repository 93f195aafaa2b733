// Draws diagrams with Mermaid, in a document of its own: the library writes inline styles, which the policy of the window forbids. There,
// they are set through the object model instead, which the policy allows. The library is loaded with the first diagram.
import library from '@mermaid-js/tiny/dist/mermaid.tiny.js?url'
import { readingWords } from '../strings/reading.ts'
import { type DiagramImage, diagramImage, keptSheet, withoutStyles } from './diagram-svg.ts'

/** There is no way to stop a drawing that takes long: larger ones are not begun. */
export const diagramLimits = { characters: 10_000, edges: 200, lines: 400 } as const

export type DrawnDiagram = { readonly ok: true; readonly image: DiagramImage } | { readonly ok: false; readonly reason: string }

interface Mermaid {
  initialize(config: object): void
  render(id: string, text: string): Promise<{ readonly svg: string }>
}

/** Settings that the text of a diagram cannot change. */
const secure = [
  ...['secure', 'securityLevel', 'startOnLoad', 'maxTextSize', 'maxEdges', 'suppressErrorRendering'],
  ...[
    'htmlLabels',
    'flowchart',
    'class',
    'state',
    'theme',
    'themeCSS',
    'themeVariables',
    'darkMode',
    'fontFamily',
    'altFontFamily',
    'fontSize',
  ],
  ...['dompurifyConfig', 'legacyMathML', 'forceLegacyMathML'],
]

let realm: Promise<Mermaid> | null = null
let last: Promise<unknown> = Promise.resolve()
let count = 0

/** One at a time: the library has one configuration. */
export function drawDiagram(text: string, theme: 'light' | 'dark'): Promise<DrawnDiagram> {
  const drawn = last.then(() => draw(text, theme))
  last = drawn
  return drawn
}

async function draw(text: string, theme: 'light' | 'dark'): Promise<DrawnDiagram> {
  try {
    realm ??= openRealm()
    const mermaid = await realm
    mermaid.initialize({
      startOnLoad: false,
      securityLevel: 'strict',
      suppressErrorRendering: true,
      maxTextSize: diagramLimits.characters,
      maxEdges: diagramLimits.edges,
      htmlLabels: false,
      flowchart: { htmlLabels: false },
      theme: theme === 'dark' ? 'dark' : 'default',
      darkMode: theme === 'dark',
      fontFamily: 'system-ui, sans-serif',
      secure,
    })
    count += 1
    const { svg } = await mermaid.render(`diagram-${count}`, text)
    const image = diagramImage(svg)
    return image ? { ok: true, image } : { ok: false, reason: readingWords.diagram.nothing }
  } catch (error) {
    return { ok: false, reason: error instanceof Error || isMessage(error) ? error.message : String(error) }
  }
}

/** Errors of the other document are no errors of this one. */
function isMessage(error: unknown): error is { readonly message: string } {
  return typeof error === 'object' && error !== null && 'message' in error && typeof error.message === 'string'
}

async function openRealm(): Promise<Mermaid> {
  const frame = document.createElement('iframe')
  frame.className = 'diagram-frame'
  frame.tabIndex = -1
  frame.setAttribute('aria-hidden', 'true')
  frame.title = 'diagrams'
  document.body.append(frame)
  try {
    const inner = frame.contentWindow as (Window & typeof globalThis & { mermaid?: Mermaid }) | null
    if (!inner) throw new Error('the browser opens no frame')
    keepStylesOut(inner)
    await new Promise<void>((resolve, reject) => {
      const script = inner.document.createElement('script')
      script.src = library
      script.onload = () => resolve()
      script.onerror = () => reject(new Error(readingWords.diagram.noLibrary))
      inner.document.head.append(script)
    })
    if (!inner.mermaid) throw new Error('the library for diagrams cannot be started')
    return inner.mermaid
  } catch (error) {
    // The next diagram tries again.
    realm = null
    frame.remove()
    throw error
  }
}

/** Only in that document. Texts are measured there, so the styles must apply. */
function keepStylesOut(inner: Window & typeof globalThis): void {
  const { document: own, Element: element, Node: node, DOMParser: parser } = inner
  const sheet = new inner.CSSStyleSheet()
  own.adoptedStyleSheets = [sheet]
  const { setAttribute, setAttributeNS } = element.prototype
  const isStyled = (one: Element): one is Element & ElementCSSInlineStyle => 'style' in one
  element.prototype.setAttribute = function (name, value) {
    if (name === 'style' && isStyled(this)) this.style.cssText = value
    else setAttribute.call(this, name, value)
  }
  element.prototype.setAttributeNS = function (space: string | null, name: string, value: string) {
    if (name === 'style' && isStyled(this)) this.style.cssText = value
    else setAttributeNS.call(this, space, name, value)
  }
  const { createElement, createElementNS } = own
  const sheetElement = () => {
    const made = createElementNS.call(own, 'http://www.w3.org/2000/svg', keptSheet.element)
    made.setAttribute(keptSheet.attribute, '')
    return made
  }
  Object.assign(own, {
    createElement: (name: string, options?: ElementCreationOptions) =>
      name === 'style' ? sheetElement() : createElement.call(own, name, options),
    createElementNS: (space: string | null, name: string) => (name === 'style' ? sheetElement() : createElementNS.call(own, space, name)),
  })
  for (const [prototype, name] of [
    [element.prototype, 'innerHTML'],
    [node.prototype, 'textContent'],
  ] as const) {
    const known = Object.getOwnPropertyDescriptor(prototype, name)
    if (!known) continue
    Object.defineProperty(prototype, name, {
      ...known,
      set(this: Node, value: unknown) {
        if ('localName' in this && this.localName === keptSheet.element) sheet.replaceSync(String(value))
        known.set?.call(this, value)
      },
    })
  }
  const { parseFromString } = parser.prototype
  parser.prototype.parseFromString = function (text, type) {
    return parseFromString.call(this, withoutStyles(String(text)), type)
  }
}
