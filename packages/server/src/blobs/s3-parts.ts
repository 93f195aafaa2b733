// Splits a stream of any length into parts of one size, and writes and reads the XML of S3.

export interface UploadPart {
  readonly body: Uint8Array<ArrayBuffer>
  readonly last: boolean
}

/** All parts but the last are `bytes` long. An empty stream is one empty part. The buffer is reused after the next part is requested. */
export async function* inParts(chunks: AsyncIterable<Uint8Array>, bytes: number): AsyncGenerator<UploadPart> {
  let buffer: Uint8Array<ArrayBuffer> | undefined
  let small: Uint8Array[] = []
  let filled = 0
  for await (const chunk of chunks) {
    let rest = chunk
    while (rest.byteLength > 0) {
      // Full, and more data follows: it is not the last.
      if (buffer && filled === bytes) {
        yield { body: buffer, last: false }
        filled = 0
      }
      const piece = rest.subarray(0, bytes - filled)
      rest = rest.subarray(piece.byteLength)
      if (buffer) buffer.set(piece, filled)
      else small.push(piece)
      filled += piece.byteLength
      if (!buffer && filled === bytes) {
        buffer = joined(small, bytes)
        small = []
      }
    }
  }
  yield { body: buffer ? buffer.subarray(0, filled) : joined(small, filled), last: true }
}

export function completeBody(etags: readonly string[]): Uint8Array<ArrayBuffer> {
  const parts = etags.map((etag, i) => `<Part><PartNumber>${i + 1}</PartNumber><ETag>${escaped(etag)}</ETag></Part>`)
  return new TextEncoder().encode(`<CompleteMultipartUpload>${parts.join('')}</CompleteMultipartUpload>`)
}

/** The texts of all elements of that name. The S3 responses that we read are flat: no parser is needed. */
export function textsIn(xml: string, element: string): string[] {
  return [...xml.matchAll(new RegExp(`<${element}>([^<]*)</${element}>`, 'g'))].map(([, text = '']) => unescaped(text))
}

function joined(pieces: readonly Uint8Array[], bytes: number): Uint8Array<ArrayBuffer> {
  const whole = new Uint8Array(bytes)
  let at = 0
  for (const piece of pieces) {
    whole.set(piece, at)
    at += piece.byteLength
  }
  return whole
}

function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;')
}

function unescaped(text: string): string {
  return text.replaceAll('&lt;', '<').replaceAll('&gt;', '>').replaceAll('&quot;', '"').replaceAll('&apos;', "'").replaceAll('&amp;', '&')
}
