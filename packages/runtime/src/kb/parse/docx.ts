// Word documents: converted to HTML, then read like a page.
import mammoth from 'mammoth'
import { pageOf } from './html.ts'
import type { ParsedDocument, Unreadable } from './parsed.ts'

const styles = ["p[style-name='Title'] => h1:fresh", "p[style-name='Subtitle'] => p:fresh"]

export async function readDocx(bytes: Uint8Array): Promise<ParsedDocument | Unreadable> {
  const html = await converted(bytes)
  if (typeof html !== 'string') return html
  const page = pageOf(html)
  return page.text === '' ? { problem: 'no_text', detail: null } : { format: 'docx', encoding: null, notes: [], ...page }
}

async function converted(bytes: Uint8Array): Promise<string | Unreadable> {
  try {
    const convertImage = mammoth.images.imgElement(async () => ({ src: '' }))
    return (await mammoth.convertToHtml({ buffer: Buffer.from(bytes) }, { styleMap: styles, convertImage })).value
  } catch (error) {
    // Memory and nesting are reported by name; everything else means that the archive or its XML is not intact.
    if (error instanceof RangeError) throw error
    return { problem: 'damaged', detail: error instanceof Error ? error.message : null }
  }
}
