// Documents for tests, made with the libraries of their formats.
import { Document, HeadingLevel, Packer, Paragraph, Table, TableCell, TableRow } from 'docx'
import { PDFDocument, PDFName, StandardFonts } from 'pdf-lib'

export interface DocxPart {
  readonly heading?: number
  readonly text?: string
  readonly bullet?: boolean
  readonly rows?: readonly (readonly string[])[]
}

const headings = [HeadingLevel.HEADING_1, HeadingLevel.HEADING_2, HeadingLevel.HEADING_3] as const

export async function testDocx(parts: readonly DocxPart[]): Promise<Uint8Array> {
  const children = parts.map(({ heading, text = '', bullet, rows }) => {
    if (!rows) {
      const level = heading === undefined ? undefined : headings[heading - 1]
      return new Paragraph({ text, ...(level ? { heading: level } : {}), ...(bullet ? { bullet: { level: 0 } } : {}) })
    }
    return new Table({
      rows: rows.map((cells) => new TableRow({ children: cells.map((cell) => new TableCell({ children: [new Paragraph(cell)] })) })),
    })
  })
  return await Packer.toBuffer(new Document({ sections: [{ children }] }))
}

/** Each page is a list of paragraphs, each of which is a list of lines. */
export async function testPdf(pages: readonly (readonly (readonly string[])[])[], title?: string): Promise<Uint8Array> {
  const pdf = await PDFDocument.create()
  if (title) pdf.setTitle(title)
  const font = await pdf.embedFont(StandardFonts.Helvetica)
  for (const paragraphs of pages) {
    const page = pdf.addPage([600, 800])
    let y = 750
    for (const lines of paragraphs) {
      for (const line of lines) {
        page.drawText(line, { x: 50, y, size: 12, font })
        y -= 14
      }
      y -= 16
    }
  }
  return await pdf.save()
}

/** A page in any script, painted from left to right as PDF does, whatever the direction of the script is: the font has no letters, but maps each code to a character, as the fonts of scanned and recognized pages do. */
export async function testUnicodePdf(text: string): Promise<Uint8Array> {
  const pdf = await PDFDocument.create()
  const page = pdf.addPage([600, 800])
  const codes = [...text].map((_, index) => (index + 1).toString(16).padStart(4, '0'))
  const units = (char: string) => Buffer.from(char, 'utf16le').swap16().toString('hex')
  const map = [...text].map((char, index) => `<${codes[index]}> <${units(char)}>`)
  const cmap = [
    '/CIDInit /ProcSet findresource begin 12 dict begin begincmap /CMapName /Test def /CMapType 2 def',
    '1 begincodespacerange <0000> <ffff> endcodespacerange',
    `${map.length} beginbfchar`,
    ...map,
    'endbfchar endcmap end end',
  ].join('\n')
  const { context } = pdf
  const descriptor = context.register(
    context.obj({
      Type: 'FontDescriptor',
      FontName: 'Test',
      Flags: 4,
      FontBBox: [0, 0, 1000, 1000],
      ItalicAngle: 0,
      Ascent: 800,
      Descent: 0,
    }),
  )
  const descendant = context.register(
    context.obj({
      Type: 'Font',
      Subtype: 'CIDFontType2',
      BaseFont: 'Test',
      CIDSystemInfo: { Registry: 'Adobe', Ordering: 'Identity', Supplement: 0 },
      FontDescriptor: descriptor,
      DW: 1000,
    }),
  )
  const font = context.register(
    context.obj({
      Type: 'Font',
      Subtype: 'Type0',
      BaseFont: 'Test',
      Encoding: 'Identity-H',
      DescendantFonts: [descendant],
      ToUnicode: context.register(context.stream(cmap)),
    }),
  )
  page.node.set(PDFName.of('Resources'), context.obj({ Font: { F1: font } }))
  page.node.set(PDFName.of('Contents'), context.register(context.stream(`BT /F1 12 Tf 50 700 Td <${codes.join('')}> Tj ET`)))
  return await pdf.save()
}
