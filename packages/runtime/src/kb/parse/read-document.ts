// Reads one document: what the parsing process does with each file.
import type { DocumentFormat } from '@tandem/contract/knowledge'
import { codeBlocks } from './code.ts'
import { csvBlocks } from './csv.ts'
import type { DecodedText } from './decode.ts'
import { detect } from './detect.ts'
import { jsonBlocks } from './json.ts'
import { jsonlBlocks } from './jsonl.ts'
import type { Block, ParsedDocument, Unreadable } from './parsed.ts'
import { plainTextBlocks } from './plain-text.ts'

export async function readDocument(name: string, bytes: Uint8Array): Promise<ParsedDocument | Unreadable> {
  const detected = detect(name, bytes)
  if ('problem' in detected) return detected
  if (detected.format === 'pdf') return await (await import('./pdf.ts')).readPdf(bytes)
  if (detected.format === 'docx') return await (await import('./docx.ts')).readDocx(bytes)
  if (detected.format === 'html') return await (await import('./html.ts')).readHtml(bytes, detected)
  return await readText(detected.format, detected)
}

/** Only documents are their text. */
export async function readTextDocument(name: string, bytes: Uint8Array): Promise<ParsedDocument | Unreadable> {
  const detected = detect(name, bytes)
  if ('problem' in detected) return detected
  if (detected.format === 'pdf' || detected.format === 'docx' || detected.format === 'html') return { problem: 'no_sandbox', detail: null }
  return await readText(detected.format, detected)
}

type PlainFormat = Exclude<DocumentFormat, 'pdf' | 'docx' | 'html'>

async function readText(format: PlainFormat, { text, encoding }: DecodedText): Promise<ParsedDocument> {
  const parts =
    format === 'markdown' ? await (await import('./markdown.ts')).markdownBlocks(text) : { title: null, blocks: blocksOf[format](text) }
  return { format, text, encoding, notes: [], ...parts }
}

const blocksOf: Readonly<Record<Exclude<PlainFormat, 'markdown'>, (text: string) => readonly Block[]>> = {
  text: plainTextBlocks,
  code: codeBlocks,
  csv: csvBlocks,
  json: jsonBlocks,
  jsonl: jsonlBlocks,
}
