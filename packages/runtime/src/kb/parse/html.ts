// Pages: their headings, paragraphs, lists, tables and preformatted text. Scripts, styles, navigation and hidden parts are left out.
import { Parser } from 'htmlparser2'
import type { DecodedText } from './decode.ts'
import { openPageText, type PageText } from './page-text.ts'
import type { ParsedDocument, Unreadable } from './parsed.ts'

export function readHtml(bytes: Uint8Array, decoded: DecodedText): ParsedDocument | Unreadable {
  const page = pageOf(htmlText(bytes, decoded))
  return page.text === '' ? { problem: 'no_text', detail: null } : { format: 'html', encoding: null, notes: [], ...page }
}

/** A page that consists of navigation only is read with it. */
export function pageOf(html: string): PageText {
  const page = read(html, true)
  return page.text === '' ? read(html, false) : page
}

/** The parser reports events and keeps no tree, so nesting cannot exhaust the stack. */
function read(html: string, withoutNavigation: boolean): PageText {
  const page = openPageText(withoutNavigation)
  const parser = new Parser({ onopentag: page.open, ontext: page.text, onclosetag: page.close }, { decodeEntities: true })
  for (let at = 0; at < html.length; at += piece) parser.write(html.slice(at, at + piece))
  parser.end()
  return page.built()
}

const piece = 64 * 1024

/** A page that is not UTF-8 names its encoding. */
function htmlText(bytes: Uint8Array, { text, encoding }: DecodedText): string {
  if (encoding.name !== 'windows-1252') return text
  const name = /<meta[^>]{0,200}?charset\s*=\s*["']?\s*([\w:-]{1,40})/i.exec(text.slice(0, 4_096))?.[1]
  try {
    return name ? new TextDecoder(name).decode(bytes) : text
  } catch {
    // An encoding that does not exist.
    return text
  }
}
