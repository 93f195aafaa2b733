// Documents that try to exhaust whoever reads them.
import JSZip from 'jszip'
import { testDocx } from './test-documents.ts'

const MiB = 1024 * 1024

/** A few megabytes that become gigabytes of XML. */
export async function hostileDocx(): Promise<Uint8Array> {
  const zip = await JSZip.loadAsync(await testDocx([{ text: 'x' }]))
  const paragraph = '<w:p><w:r><w:t>boom</w:t></w:r></w:p>'
  const namespace = 'http://schemas.openxmlformats.org/wordprocessingml/2006/main'
  const body = paragraph.repeat((512 * MiB) / paragraph.length - 1)
  const head = `<?xml version="1.0"?><w:document xmlns:w="${namespace}"><w:body>`
  zip.file('word/document.xml', Buffer.concat([Buffer.from(head + body), Buffer.from('</w:body></w:document>')]))
  return await zip.generateAsync({ type: 'uint8array', compression: 'DEFLATE', compressionOptions: { level: 1 } })
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
