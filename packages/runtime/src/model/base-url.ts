// The address of a model as users enter it: without a scheme, without `/v1`, with the full path. Pure.
import { isIP } from 'node:net'

export type CheckedAddress =
  | {
      readonly ok: true
      /** With its scheme, without anything after the base path of the API. */
      readonly base_url: string
      /** Where the API may be, the most likely first. */
      readonly candidates: readonly string[]
    }
  | { readonly ok: false /** Continues a sentence about the address. */; readonly problem: string }

const example = 'For example: http://127.0.0.1:11434/v1 or https://api.openai.com/v1.'

/** What users often copy along with the address: the path of one endpoint. */
const functionPath = /\/+(?:chat\/completions|completions|chat|responses|embeddings|models|messages)\/*$/

export function checkedAddress(text: string): CheckedAddress {
  const typed = text.trim()
  const scheme = /^([a-z][a-z0-9+.-]*):\/\//i.exec(typed)?.[1]?.toLowerCase()
  if (scheme !== undefined && scheme !== 'http' && scheme !== 'https')
    return { ok: false, problem: `starts with ${scheme}://. It must start with http:// or https://. ${example}` }
  const url = /\s/.test(typed)
    ? null
    : URL.parse(scheme === undefined ? `${isLocal(`http://${typed}`) ? 'http' : 'https'}://${typed}` : typed)
  if (!url || url.hostname === '') return { ok: false, problem: `is not a URL. ${example}` }
  if (url.username !== '' || url.password !== '')
    return { ok: false, problem: 'contains a user name or password. Set the key separately instead.' }
  const path = url.pathname.replace(functionPath, '').replace(/\/+$/, '')
  const at = (place: string) => `${url.origin}${place}${url.search}`.replaceAll('@', '%40')
  return { ok: true, base_url: at(path), candidates: placesOf(path).map(at) }
}

/** An address with a version is used as it is. A bare host nearly always means `/v1`. */
function placesOf(path: string): readonly string[] {
  if (/\/v\d/.test(path)) return [path]
  return path === '' ? ['/v1', ''] : [path, `${path}/v1`]
}

/** The URL of one endpoint: the query of the address, which some providers require, stays at its end. */
export function endpointUrl(base_url: string, name: string): URL {
  const url = new URL(base_url)
  url.pathname = `${url.pathname.replace(/\/+$/, '')}/${name}`
  return url
}

/** On this device or in its own network: according to its IP address, its domain, or a name without a dot. */
export function isLocal(base_url: string): boolean {
  const host = URL.parse(base_url)?.hostname.replace(/^\[|\]$/g, '') ?? ''
  if (isIP(host) === 6) return host === '::1' || /^(?:f[cd]|fe80)/.test(host)
  if (isIP(host) === 4) return /^(?:127|10)\.|^192\.168\.|^172\.(?:1[6-9]|2\d|3[01])\.|^169\.254\./.test(host)
  return !host.includes('.') || /\.(?:localhost|local|lan|internal|home\.arpa)$/.test(host)
}

/** Without the query, which may contain a key. */
export function addressKey(base_url: string): string {
  const { origin, pathname } = new URL(base_url)
  return `${origin}${pathname.replace(/\/+$/, '')}`
}
