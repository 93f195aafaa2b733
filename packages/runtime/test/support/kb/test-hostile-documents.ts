// Documents that try to exhaust whoever reads them.
import { constants, deflateRawSync } from 'node:zlib'

const MiB = 1024 * 1024

/** A few megabytes that become two gigabytes of XML: one compressed part, repeated. */
export function hostileDocx(): Uint8Array {
  const paragraph = '<w:p><w:r><w:t>boom</w:t></w:r></w:p>'
  const head = '<w:document xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"><w:body>'
  const part = Buffer.from(paragraph.repeat((4 * MiB) / paragraph.length))
  const count = 512
  const open = (content: Uint8Array) => deflateRawSync(content, { finishFlush: constants.Z_FULL_FLUSH })
  const tail = Buffer.from('</w:body></w:document>')
  const data = Buffer.concat([open(Buffer.from(head)), ...Array<Buffer>(count).fill(open(part)), deflateRawSync(tail)])
  return zip([
    zipEntry('[Content_Types].xml', Buffer.from(contentTypes)),
    zipEntry('_rels/.rels', Buffer.from(relationships)),
    { name: 'word/document.xml', data, size: head.length + count * part.length + tail.length },
  ])
}

const contentTypes =
  '<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"><Override PartName="/word/document.xml" ' +
  'ContentType="application/vnd.openxmlformats-officedocument.wordprocessingml.document.main+xml"/></Types>'
const relationships =
  '<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships"><Relationship Id="r" Target="word/document.xml" ' +
  'Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/officeDocument"/></Relationships>'

interface ZipEntry {
  readonly name: string
  readonly data: Uint8Array
  readonly size: number
}

function zipEntry(name: string, content: Uint8Array): ZipEntry {
  return { name, data: deflateRawSync(content), size: content.length }
}

/** Without checksums, which readers do not need. */
function zip(entries: readonly ZipEntry[]): Uint8Array {
  const files: Buffer[] = []
  const list: Buffer[] = []
  let at = 0
  for (const { name, data, size } of entries) {
    const facts = Buffer.alloc(26)
    facts.writeUInt16LE(20, 0)
    facts.writeUInt16LE(8, 4)
    facts.writeUInt32LE(data.length, 14)
    facts.writeUInt32LE(size, 18)
    facts.writeUInt16LE(name.length, 22)
    const file = Buffer.concat([Buffer.from('PK\x03\x04'), facts, Buffer.from(name), data])
    const rest = Buffer.alloc(14)
    rest.writeUInt32LE(at, 10)
    list.push(Buffer.from('PK\x01\x02\x14\0'), facts, rest, Buffer.from(name))
    files.push(file)
    at += file.length
  }
  const end = Buffer.alloc(22)
  end.write('PK\x05\x06')
  end.writeUInt16LE(entries.length, 8)
  end.writeUInt16LE(entries.length, 10)
  end.writeUInt32LE(Buffer.concat(list).length, 12)
  end.writeUInt32LE(at, 16)
  return Buffer.concat([...files, ...list, end])
}

/** By name. None of them contains text. */
export function hostilePdfs(): readonly (readonly [string, Uint8Array])[] {
  const catalog = '1 0 obj <</Type/Catalog/Pages 2 0 R>> endobj'
  return [
    // The list of pages contains itself.
    ['loop.pdf', pdf([catalog, '2 0 obj <</Type/Pages/Count 1000000/Kids[2 0 R 2 0 R]>> endobj'])],
    // The table of objects names itself as the table before it.
    [
      'previous.pdf',
      Buffer.from(`%PDF-1.7\n${catalog}\nxref\n0 1\n0000000000 65535 f \ntrailer <</Root 1 0 R/Size 2/Prev 53>>\nstartxref\n53\n%%EOF`),
    ],
    ['deep.pdf', pdf([catalog, `2 0 obj ${'['.repeat(1_000_000)}${']'.repeat(1_000_000)} endobj`])],
    [
      'objects.pdf',
      pdf([
        catalog,
        '2 0 obj <</Type/Pages/Count 0/Kids[]>> endobj',
        ...Array.from({ length: 1_000_000 }, (_, index) => `${index + 3} 0 obj 1 endobj`),
      ]),
    ],
    // A page whose content draws itself.
    [
      'form.pdf',
      pdf([
        catalog,
        '2 0 obj <</Type/Pages/Count 1/Kids[3 0 R]>> endobj',
        '3 0 obj <</Type/Page/Parent 2 0 R/MediaBox[0 0 9 9]/Contents 4 0 R/Resources<</XObject<</F 4 0 R>>>>>> endobj',
        '4 0 obj <</Type/XObject/Subtype/Form/BBox[0 0 9 9]/Resources<</XObject<</F 4 0 R>>>>/Length 11>> stream\n/F Do /F Do\nendstream endobj',
      ]),
    ],
  ]
}

/** Without a table of objects: readers search for them. */
function pdf(objects: readonly string[]): Uint8Array {
  return Buffer.from(`%PDF-1.7\n${objects.join('\n')}\ntrailer <</Root 1 0 R>>\n%%EOF`)
}
