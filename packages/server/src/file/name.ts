// Names and types are untrusted. They are displayed, never used as a path, and never decide how a browser treats the bytes.

/** The value of a `Content-Disposition` that saves the bytes, never displays them (RFC 6266, RFC 8187). */
export function attachment(name: string): string {
  const shown = savedName(name)
  const plain = shown.replace(/[^\x20-\x7e]|["%\\]/g, '_')
  return `attachment; filename="${plain}"; filename*=UTF-8''${encode(shown)}`
}

const pattern = /^[a-z0-9!#$&^_.+-]+\/[a-z0-9!#$&^_.+-]+$/

/** The declared type if it is valid, without its parameters. */
export function mediaTypeOf(declared: string | undefined): string {
  const type = (declared?.split(';')[0] ?? '').trim().toLowerCase()
  return type.length <= 127 && pattern.test(type) ? type : 'application/octet-stream'
}

/** Marks that change the text direction make `exe.gpj` look like an image; a name of only dots is a folder. */
function savedName(name: string): string {
  const plain = name.toWellFormed().replace(/[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/g, '_')
  return /^[. ]*$/.test(plain) ? 'file' : plain
}

function encode(text: string): string {
  return encodeURIComponent(text).replace(/['()*]/g, (mark) => `%${mark.charCodeAt(0).toString(16).toUpperCase()}`)
}
