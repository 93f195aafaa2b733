// What a library drew, as the text of an image: only shapes and text. It is shown as an image, where a browser runs no script, follows no
// link and loads nothing; what could do so is removed before all the same.

const svg = 'http://www.w3.org/2000/svg'

const elements = new Set(
  (
    'svg g defs metadata marker symbol use path line polyline polygon rect circle ellipse text tspan textPath title desc clipPath mask pattern ' +
    'linearGradient radialGradient stop filter feDropShadow feGaussianBlur feOffset feMerge feMergeNode feFlood feComposite switch'
  ).split(' '),
)

/**
 * The window's policy forbids inline styles, and a browser reports them already when it parses a text. Until the text is that of an image,
 * which has its own policy, they have another name.
 */
const keptStyle = 'data-kept-style'
export const keptSheet = { element: 'metadata', attribute: 'data-kept-sheet' } as const

export function withoutStyles(text: string): string {
  return text
    .replace(/(\s)style\s*=/gi, `$1${keptStyle}=`)
    .replace(/(\s)on(\w+)\s*=/gi, '$1data-dropped-$2=')
    .replace(/<style\b[^>]*>/gi, `<${keptSheet.element} ${keptSheet.attribute}="">`)
    .replace(/<\/style\s*>/gi, `</${keptSheet.element}>`)
}

export interface DiagramImage {
  /** The address of the image. */
  readonly url: string
  readonly width: number
  readonly height: number
  /** What its author wrote for people who cannot see it. */
  readonly title: string | null
}

/** Null if there is no drawing in the text. */
export function diagramImage(text: string): DiagramImage | null {
  const drawn = new DOMParser().parseFromString(withoutStyles(text), 'text/html').querySelector('svg')
  const [, , width = 0, height = 0] = (drawn?.getAttribute('viewBox') ?? '').split(/[\s,]+/).map(Number)
  if (!drawn || !(width > 0) || !(height > 0)) return null
  reduce(drawn)
  for (const [name, value] of [
    ['width', width],
    ['height', height],
  ] as const)
    drawn.setAttribute(name, String(Math.ceil(value)))
  const title = drawn.querySelector('title')?.textContent.trim() || null
  const markup = new XMLSerializer()
    .serializeToString(drawn)
    .replaceAll(` ${keptStyle}=`, ' style=')
    .replace(new RegExp(`<${keptSheet.element} ${keptSheet.attribute}=""[^>]*>`, 'g'), '<style>')
    .replaceAll(`</${keptSheet.element}>`, '</style>')
  return { url: `data:image/svg+xml;charset=utf-8,${encodeURIComponent(markup)}`, width, height, title }
}

function reduce(parent: Element): void {
  for (const child of [...parent.children]) {
    if (child.namespaceURI === svg && child.localName === 'a') {
      // A link keeps what it shows.
      reduce(child)
      child.replaceWith(...child.childNodes)
    } else if (child.namespaceURI === svg && elements.has(child.localName) && isOwnSheet(child)) reduce(child)
    else child.remove()
  }
  for (const { name, value } of [...parent.attributes]) {
    const isReference = /(?:^|:)href$/i.test(name)
    if (/^on|^data-dropped/i.test(name) || (isReference && !value.startsWith('#'))) parent.removeAttribute(name)
  }
}

/** Other metadata is nothing to show. */
function isOwnSheet(element: Element): boolean {
  return element.localName !== keptSheet.element || element.hasAttribute(keptSheet.attribute)
}
