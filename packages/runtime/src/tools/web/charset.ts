// Decodes bytes in the same way as a browser: byte order mark, then the header, then the meta element of the page, then UTF-8 if valid.

export interface DecodedText {
  readonly text: string
  readonly charset: string
}

const byDefault = 'windows-1252'
/** Browsers search no further for a meta element. */
const metaWithin = 1_024

export function decodeText(body: Uint8Array, contentType: string): DecodedText {
  const label = bomOf(body) ?? charsetOf(contentType) ?? (isMarkup(contentType) ? metaOf(body) : null)
  const charset = label ?? (isUtf8(body) ? 'utf-8' : byDefault)
  return { text: new TextDecoder(charset).decode(body), charset }
}

function charsetOf(contentType: string): string | null {
  return known(/charset\s*=\s*["']?([^\s"';]+)/i.exec(contentType)?.[1])
}

function metaOf(body: Uint8Array): string | null {
  const start = Buffer.from(body.subarray(0, metaWithin)).toString('latin1')
  const named = known(
    /<meta[^>]{0,200}?charset\s*=\s*["']?([\w:.-]{1,40})/i.exec(start)?.[1] ??
      /<\?xml[^>]{0,100}?encoding=["']([\w:.-]{1,40})/i.exec(start)?.[1],
  )
  // A page whose meta element could be read is not UTF-16, whatever it declares.
  return named?.startsWith('utf-16') ? 'utf-8' : named
}

function bomOf(body: Uint8Array): string | null {
  const [first, second, third] = body
  if (first === 0xef && second === 0xbb && third === 0xbf) return 'utf-8'
  if (first === 0xfe && second === 0xff) return 'utf-16be'
  return first === 0xff && second === 0xfe ? 'utf-16le' : null
}

function isMarkup(contentType: string): boolean {
  return /html|xml/i.test(contentType) || contentType === ''
}

function isUtf8(body: Uint8Array): boolean {
  try {
    // A body that was cut may end inside a character.
    new TextDecoder('utf-8', { fatal: true }).decode(body, { stream: true })
    return true
  } catch {
    return false // it is not UTF-8
  }
}

function known(label: string | undefined): string | null {
  if (label === undefined) return null
  try {
    return new TextDecoder(label).encoding
  } catch {
    return null // an unknown label is ignored
  }
}
