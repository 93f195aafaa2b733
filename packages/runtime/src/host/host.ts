// The loopback server of the window. It hands out files and one status; nothing here can be told to act.

import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { BackendSight } from '@tandem/contract/status'
import { type Asset, readWindow, type Window } from './asset.ts'
import { watchBackend } from './backend.ts'
import { refusalOf } from './gate.ts'
import { securityHeaders } from './security-headers.ts'
import { statusWith } from './status.ts'

interface HostOptions {
  /** The folder of the built window. */
  readonly windowDir: string
  /** A free one when absent. */
  readonly port?: number
  readonly backend: string | null
  log(line: string): void
}

interface Host {
  readonly url: string
  stop(): Promise<void>
}

export async function openHost(options: HostOptions): Promise<Host> {
  const window = await readWindow(options.windowDir)
  const lookAtBackend = watchBackend(options.backend)
  let port = 0
  const server = createServer((request, response) => {
    answer(request, response, { port, window, lookAtBackend }).catch((error: unknown) => {
      options.log(`${request.method} ${request.url} failed: ${error instanceof Error ? error.stack : String(error)}`)
      if (response.headersSent) response.destroy()
      else say(response, 500, 'Something broke inside; the log says what.')
    })
  })
  server.headersTimeout = 10_000
  server.requestTimeout = 20_000
  port = await listen(server, options.port ?? 0)
  server.on('error', (error) => options.log(`the window's server: ${error.message}`))
  let stopped: Promise<void> | null = null
  return {
    url: `http://127.0.0.1:${port}/`,
    stop() {
      stopped ??= close(server)
      return stopped
    },
  }
}

interface Room {
  readonly port: number
  readonly window: Window
  lookAtBackend(): Promise<BackendSight>
}

async function answer(request: IncomingMessage, response: ServerResponse, room: Room): Promise<void> {
  for (const [name, value] of Object.entries(securityHeaders)) response.setHeader(name, value)
  const refusal = refusalOf(request, room.port)
  if (refusal) {
    for (const [name, value] of Object.entries(refusal.headers ?? {})) response.setHeader(name, value)
    return say(response, refusal.status, refusal.reason)
  }
  const [path = '/'] = (request.url ?? '/').split('?', 1)
  if (path === '/status.json') return sendStatus(response, await room.lookAtBackend())
  const asset = room.window.assets.get(path) ?? (isPagePath(path) ? room.window.page : undefined)
  if (!asset) return say(response, 404, 'There is nothing here.')
  sendAsset(request, response, asset)
}

/** The window has its own addresses; they all begin with the same page. A dot means a file was meant. */
function isPagePath(path: string): boolean {
  return !path.includes('.')
}

function sendStatus(response: ServerResponse, backend: BackendSight): void {
  const body = JSON.stringify(statusWith(backend))
  response.writeHead(200, { 'content-type': 'application/json; charset=utf-8', 'cache-control': 'no-store' }).end(body)
}

function sendAsset(request: IncomingMessage, response: ServerResponse, asset: Asset): void {
  response.setHeader('etag', asset.etag)
  response.setHeader('cache-control', asset.caching)
  if (isHeld(request.headers['if-none-match'], asset.etag)) {
    response.writeHead(304).end()
    return
  }
  response.writeHead(200, { 'content-type': asset.type, 'content-length': asset.body.byteLength }).end(asset.body)
}

function isHeld(ifNoneMatch: string | undefined, etag: string): boolean {
  return (ifNoneMatch ?? '').split(',').some((tag) => tag.trim().replace(/^W\//, '') === etag || tag.trim() === '*')
}

function say(response: ServerResponse, status: number, text: string): void {
  response.writeHead(status, { 'content-type': 'text/plain; charset=utf-8', 'cache-control': 'no-store' }).end(`${text}\n`)
}

function listen(server: Server, port: number): Promise<number> {
  return new Promise((resolve, reject) => {
    const refuse = (cause: Error) => reject(new Error(`the window can't listen on 127.0.0.1:${port}: ${cause.message}`, { cause }))
    server.once('error', refuse)
    server.listen(port, '127.0.0.1', () => {
      server.off('error', refuse)
      const address = server.address()
      if (address === null || typeof address === 'string') reject(new Error('the window listens on no port'))
      else resolve(address.port)
    })
  })
}

/** Answers under way get a moment; then the line is cut. */
function close(server: Server): Promise<void> {
  return new Promise((resolve, reject) => {
    const cut = setTimeout(() => server.closeAllConnections(), 1_000)
    server.close((error) => {
      clearTimeout(cut)
      if (error) reject(error)
      else resolve()
    })
  })
}
