// The window's files, read once at startup: a request is only a lookup by name, so it cannot reach any other file.
import { createHash } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import { extname, join } from 'node:path'

export interface Asset {
  readonly body: Buffer
  readonly type: string
  readonly etag: string
  readonly caching: string
}

export interface WindowAssets {
  readonly page: Asset
  /** By exact path: `/assets/index-B3xY12ab.js`. */
  readonly assets: ReadonlyMap<string, Asset>
}

/** Everything under `folder` that has a known type; links are not followed. */
export async function readWindow(folder: string): Promise<WindowAssets> {
  const assets = new Map<string, Asset>()
  await collect(folder, '', assets)
  const page = assets.get('/index.html')
  if (!page) throw new Error(`the window is not built: there is no index.html in ${folder}`)
  return { page, assets }
}

const types: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.json': 'application/json; charset=utf-8',
  '.webmanifest': 'application/manifest+json; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.ico': 'image/x-icon',
  '.woff2': 'font/woff2',
}

/** Files with a hash of their content in the name never change. */
const hashed = /^\/assets\/[^/]+-[\w-]{8}\.\w+$/

async function collect(folder: string, address: string, into: Map<string, Asset>): Promise<void> {
  for (const entry of await entriesOf(folder)) {
    const path = join(folder, entry.name)
    const name = `${address}/${entry.name}`
    if (entry.isDirectory()) await collect(path, name, into)
    const type = types[extname(entry.name)]
    if (entry.isFile() && type) into.set(name, assetOf(name, type, await readFile(path)))
  }
}

async function entriesOf(folder: string) {
  try {
    return await readdir(folder, { withFileTypes: true })
  } catch (cause) {
    throw new Error(`the folder of the window cannot be read: ${folder}`, { cause })
  }
}

function assetOf(name: string, type: string, body: Buffer): Asset {
  const digest = createHash('sha256').update(body).digest('base64url').slice(0, 22)
  const caching = hashed.test(name) ? 'public, max-age=31536000, immutable' : 'no-cache'
  return { body, type, etag: `"${digest}"`, caching }
}
