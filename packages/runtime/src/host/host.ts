// The loopback server of the window: its files, its status, and the command channel for authorized clients.
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import { sessionPath, windowPath } from '@tandem/contract/command'
import type { HostStatus } from '@tandem/contract/status'
import { timestamp } from '../clock/clock.ts'
import type { CommandLayer } from '../commands/layer.ts'
import { type Asset, readWindow, type WindowAssets } from './asset.ts'
import { lastPort, saveLastPort } from './last-port.ts'
import { fileIdOf, sendPicture } from './picture.ts'
import { fileRefusal, pageRefusal, type Refusal, sessionRefusal, windowRefusal } from './request-checks.ts'
import type { ChannelPorts } from './rpc/channel.ts'
import { type ChannelServer, openChannelServer } from './rpc/upgrade.ts'
import { writeRuntimeFile } from './runtime-file.ts'
import { securityHeaders } from './security-headers.ts'
import { openSessions, type WindowSessions } from './session.ts'
import { handleSessionRequest } from './session-route.ts'
import { hostStatus } from './status.ts'

/** What the channel gives access to, and the folder in which programs find its address. */
export interface HostRuntime extends Omit<ChannelPorts, 'log' | 'commands'> {
  readonly home: string
  readonly commands: Pick<CommandLayer, 'callUntrusted'>
  file?(file_id: string): Buffer | undefined
}

export interface HostOptions {
  /** The folder of the built window; null to serve only the command channel. */
  readonly windowDir: string | null
  /** By default the previous port, so that the browser keeps its data for the window; a free port if that is in use. */
  readonly port?: number
  readonly behind: HostRuntime
  /** Called with the number of open windows whenever it changes. */
  onWindows?(open: number): void
  log(line: string): void
}

export interface Host {
  readonly url: string
  /** The address that opens a window, with a one-time code in its fragment. Each call creates a new code. */
  windowUrl(): string
  /** How many clients of the command channel are connected. */
  clients(): number
  stop(): Promise<void>
}

export async function openHost(options: HostOptions): Promise<Host> {
  const window = options.windowDir === null ? null : await readWindow(options.windowDir)
  const { behind, log, onWindows = () => undefined } = options
  const sessions = openSessions(behind.clock)
  let port = 0
  const windowUrl = () => `http://127.0.0.1:${port}/#code=${sessions.newCode()}`
  const door = await openChannelServer({ ...behind, log, sessions, port: () => port, onWindows })
  const server = createServer((request, response) => {
    const context = { port, window, sessions, windowUrl, file: (file_id: string) => behind.file?.(file_id) }
    answer(request, response, context).catch((error: unknown) => {
      log(`${request.method} ${request.url} failed: ${error instanceof Error ? error.stack : String(error)}`)
      if (response.headersSent) response.destroy()
      else say(response, 500, 'An unexpected error occurred. See the log for details.')
    })
  })
  server.headersTimeout = 10_000
  server.requestTimeout = 20_000
  server.maxConnections = 512
  server.on('upgrade', (request, socket, head) => door.upgrade(request, socket, head))
  // Only a browser has data that belongs to a port.
  port = window ? await listenAgain(server, options.port, behind.home) : await listen(server, options.port ?? 0)
  server.on('error', (error) => log(`error of the window's server: ${error.message}`))
  const url = `http://127.0.0.1:${port}/`
  const removeFile = writeRuntimeFile(behind.home, announced(url, sessions, behind))
  let stopped: Promise<void> | null = null
  return {
    url,
    windowUrl,
    clients: door.clients,
    stop() {
      stopped ??= close(server, door, removeFile)
      return stopped
    },
  }
}

function announced(url: string, { token }: WindowSessions, { clock }: HostRuntime) {
  return { pid: process.pid, url, token, started_at: timestamp(clock.now()) }
}

interface RequestContext {
  readonly port: number
  readonly window: WindowAssets | null
  readonly sessions: WindowSessions
  windowUrl(): string
  file(file_id: string): Buffer | undefined
}

async function answer(request: IncomingMessage, response: ServerResponse, context: RequestContext): Promise<void> {
  for (const [name, value] of Object.entries(securityHeaders)) response.setHeader(name, value)
  if (request.method === 'POST' && request.url === sessionPath) return await session(request, response, context)
  if (request.method === 'POST' && request.url === windowPath) return anotherWindow(request, response, context)
  const refusal = pageRefusal(request, context.port)
  if (refusal) return refuse(response, refusal)
  const [path = '/'] = (request.url ?? '/').split('?', 1)
  if (path === '/status.json') return sendJson(response, hostStatus)
  const file_id = fileIdOf(path)
  if (file_id !== null) return picture(request, response, context, file_id)
  const asset = context.window?.assets.get(path) ?? (isPagePath(path) ? context.window?.page : undefined)
  if (!asset) return say(response, 404, 'Not found.')
  sendAsset(request, response, asset)
}

async function session(request: IncomingMessage, response: ServerResponse, { port, sessions }: RequestContext): Promise<void> {
  const refusal = sessionRefusal(request, port)
  if (refusal) return refuse(response, refusal)
  const status = await handleSessionRequest(request, response, port, sessions)
  if (status !== null)
    refuse(response, {
      status,
      reason: 'The code is unknown, already used or expired. Run tandem start, or open Tandem from the start menu.',
    })
}

function picture(request: IncomingMessage, response: ServerResponse, { port, sessions, file }: RequestContext, file_id: string): void {
  const refusal = fileRefusal(request, port, sessions)
  if (refusal) refuse(response, refusal)
  else if (!sendPicture(request, response, file(file_id))) say(response, 404, 'Picture not found.')
}

function anotherWindow(request: IncomingMessage, response: ServerResponse, { port, sessions, window, windowUrl }: RequestContext): void {
  const refusal = windowRefusal(request, port, sessions)
  if (refusal) refuse(response, refusal)
  else if (!window) say(response, 404, 'This runtime has no window.')
  else sendJson(response, { url: windowUrl() })
}

function refuse(response: ServerResponse, { status, reason, headers = {} }: Refusal): void {
  // The rest of a refused request is not read.
  response.setHeader('connection', 'close')
  for (const [name, value] of Object.entries(headers)) response.setHeader(name, value)
  say(response, status, reason)
}

/** All pages of the window are served by the same file. A path with a dot is the path of a file. */
function isPagePath(path: string): boolean {
  return !path.includes('.')
}

function sendJson(response: ServerResponse, value: HostStatus | { readonly url: string }): void {
  const headers = { 'content-type': 'application/json; charset=utf-8', 'cache-control': 'no-store' }
  response.writeHead(200, headers).end(JSON.stringify(value))
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

async function listenAgain(server: Server, asked: number | undefined, home: string): Promise<number> {
  if (asked !== undefined) return await listen(server, asked)
  const port = await listen(server, lastPort(home)).catch(() => listen(server, 0))
  saveLastPort(home, port)
  return port
}

function listen(server: Server, port: number): Promise<number> {
  return new Promise((resolve, reject) => {
    const refuse = (cause: Error) => reject(new Error(`the window cannot listen on 127.0.0.1:${port}: ${cause.message}`, { cause }))
    server.once('error', refuse)
    server.listen(port, '127.0.0.1', () => {
      server.off('error', refuse)
      const address = server.address()
      if (address === null || typeof address === 'string') reject(new Error('the server of the window has no port'))
      else resolve(address.port)
    })
  })
}

/** Responses in progress get a moment to finish; then the connections are closed. */
function close(server: Server, door: ChannelServer, removeFile: () => void): Promise<void> {
  removeFile()
  door.close()
  return new Promise((resolve, reject) => {
    const cut = setTimeout(() => server.closeAllConnections(), 1_000)
    server.close((error) => {
      clearTimeout(cut)
      if (error) reject(error)
      else resolve()
    })
  })
}
