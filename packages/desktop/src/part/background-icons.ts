// Icons as background images: in a list of hundreds of rows, an element per icon would cost more than the rest of the row.
import { cardKinds } from '@tandem/contract/card'
import { type IconName, iconPaths } from './icon.tsx'

/** Readable on light and on dark. */
const grey = '#7f7c75'

/** Sharp enough for any screen density at their size. */
const side = 48

/** Creates the icon of each kind of card with its chevron, and the pin. */
export function drawIcons(): void {
  const canvas = document.createElement('canvas')
  canvas.width = side
  canvas.height = side
  const [closed, open, pin] = [drawing(canvas, 'chevron'), drawing(canvas, 'open'), drawing(canvas, 'pin')]
  const rules = cardKinds.flatMap((kind) => {
    const line = `[data-card="${kind}"] > .card-line`
    const own = drawing(canvas, kind)
    return [`${line} { background-image: ${closed}, ${own}; }`, `${line}[aria-expanded="true"] { background-image: ${open}, ${own}; }`]
  })
  const sheet = new CSSStyleSheet()
  sheet.replaceSync([...rules, `:root { --drawn-pin: ${pin}; }`].join('\n'))
  document.adoptedStyleSheets.push(sheet)
}

/** As a bitmap: drawn once here instead of in every row. */
function drawing(canvas: HTMLCanvasElement, name: IconName): string {
  const pen = canvas.getContext('2d')
  if (!pen) return 'none'
  pen.resetTransform()
  pen.clearRect(0, 0, side, side)
  pen.scale(side / 16, side / 16)
  pen.strokeStyle = grey
  pen.lineWidth = 1.4
  pen.lineCap = 'round'
  pen.lineJoin = 'round'
  pen.stroke(new Path2D(iconPaths[name]))
  return `url("${canvas.toDataURL('image/png')}")`
}
