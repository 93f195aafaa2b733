// PDF: the text of each page, with its lines and paragraphs.
import { getDocumentProxy } from 'unpdf'
import type { ParsedDocument, Unreadable } from './parsed.ts'
import { type PageItem, pageParagraphs } from './pdf-layout.ts'
import { openTextBuilder } from './text-builder.ts'

export async function readPdf(bytes: Uint8Array): Promise<ParsedDocument | Unreadable> {
  const document = await opened(bytes)
  if ('problem' in document) return document
  const builder = openTextBuilder()
  const empty: number[] = []
  const broken: number[] = []
  for (let page = 1; page <= document.numPages; page++) {
    const paragraphs = await paragraphsOf(document, page)
    if (!paragraphs) broken.push(page)
    else if (paragraphs.length === 0) empty.push(page)
    for (const paragraph of paragraphs ?? []) builder.add(paragraph, { kind: 'paragraph', page })
  }
  const { text, blocks } = builder.built()
  if (text === '')
    return broken.length > 0 ? { problem: 'damaged', detail: pageNote('Damaged pages', broken) } : { problem: 'no_text', detail: null }
  const notes = [pageNote('Pages without text', empty), pageNote('Damaged pages', broken)].filter((note) => note !== null)
  return { format: 'pdf', title: await titleOf(document), text, encoding: null, blocks, notes }
}

type PdfDocument = Awaited<ReturnType<typeof getDocumentProxy>>

async function opened(bytes: Uint8Array): Promise<PdfDocument | Unreadable> {
  try {
    // The library takes the bytes over, so it gets its own.
    return await getDocumentProxy(Uint8Array.from(bytes), { verbosity: 0 })
  } catch (error) {
    if (error instanceof RangeError) throw error
    const name = error instanceof Error ? error.name : ''
    return name === 'PasswordException' ? { problem: 'encrypted', detail: null } : { problem: 'damaged', detail: messageOf(error) }
  }
}

/** Null if the page is damaged. The other pages can be read nevertheless. */
async function paragraphsOf(document: PdfDocument, number: number): Promise<readonly string[] | null> {
  try {
    const page = await document.getPage(number)
    const { items } = await page.getTextContent()
    page.cleanup()
    return pageParagraphs(items.filter((item): item is typeof item & PageItem => 'str' in item))
  } catch (error) {
    if (error instanceof RangeError) throw error
    return null
  }
}

async function titleOf(document: PdfDocument): Promise<string | null> {
  try {
    const { info } = await document.getMetadata()
    const title = 'Title' in info && typeof info.Title === 'string' ? info.Title.trim().slice(0, 300).toWellFormed() : ''
    return title === '' ? null : title
  } catch {
    // A document without a readable title has none.
    return null
  }
}

/** Names the first pages. */
function pageNote(label: string, pages: readonly number[]): string | null {
  return pages.length === 0 ? null : `${label}: ${pages.slice(0, 10).join(', ')}${pages.length > 10 ? ' …' : ''}`
}

function messageOf(error: unknown): string | null {
  return error instanceof Error ? error.message : null
}
