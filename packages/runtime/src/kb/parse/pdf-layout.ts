// Lines and paragraphs of a PDF page, from the places of its pieces of text. Pure.

export interface PageItem {
  readonly str: string
  readonly hasEOL: boolean
  /** The last two numbers are where its baseline begins. */
  readonly transform: readonly number[]
  readonly height: number
}

interface PageLine {
  readonly text: string
  readonly y: number
  readonly height: number
}

/** The lines of a paragraph stay lines. A paragraph ends where the distance to the next line is larger than usual. */
export function pageParagraphs(items: readonly PageItem[]): readonly string[] {
  const paragraphs: string[][] = []
  let before: PageLine | null = null
  const lines = linesOf(items)
  const usual = usualDistance(lines)
  for (const line of lines) {
    const paragraph = paragraphs.at(-1)
    if (before && paragraph && !isNewParagraph(before, line, usual)) paragraph.push(line.text)
    else paragraphs.push([line.text])
    before = line
  }
  return paragraphs.map((paragraph) => paragraph.join('\n').replaceAll('\u00ad\n', ''))
}

function linesOf(items: readonly PageItem[]): readonly PageLine[] {
  const lines: PageLine[] = []
  let text = ''
  let y = 0
  let height = 0
  for (const item of items) {
    if (text === '' && item.str.trim() !== '') y = item.transform[5] ?? 0
    text += item.str
    height = Math.max(height, item.height)
    if (!item.hasEOL) continue
    if (text.trim() !== '') lines.push({ text: text.trim(), y, height })
    text = ''
    height = 0
  }
  if (text.trim() !== '') lines.push({ text: text.trim(), y, height })
  return lines
}

/** Between most lines of the page. */
function usualDistance(lines: readonly PageLine[]): number {
  const distances = lines
    .map((line, index) => (lines[index - 1]?.y ?? line.y) - line.y)
    .filter((distance) => distance > 1)
    .sort((one, other) => one - other)
  return distances[Math.floor(distances.length / 4)] ?? 0
}

/** Another column, a gap, or letters of another size. */
function isNewParagraph(before: PageLine, line: PageLine, usual: number): boolean {
  const distance = before.y - line.y
  const isOtherSize = before.height > 0 && line.height > 0 && Math.abs(before.height - line.height) > before.height * 0.2
  return distance < -line.height || distance > Math.max(usual, line.height) * 1.4 || isOtherSize
}
