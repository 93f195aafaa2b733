// A real authorization server on loopback, which checks everything that the standards require, and an MCP server that accepts its tokens.
import { createHash, randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type IncomingMessage, type RequestListener, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js'
import { SSEServerTransport } from '@modelcontextprotocol/sdk/server/sse.js'
import { StreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/streamableHttp.js'
import { afterEach } from 'vitest'

type Document = Record<string, unknown>

export interface AuthorityOptions {
  /** The path of the issuer, such as `/tenant`. */
  readonly path?: string
  /** Whether the metadata is where RFC 8414 puts it, or where OpenID Connect does. */
  readonly metadata_at?: 'inserted' | 'openid' | 'openid_inserted'
  readonly metadata?: (document: Document) => Document
  readonly resource_metadata?: (document: Document) => Document
  readonly token?: (document: Document) => Document
  /** Registered by the user, with any port of the loopback redirect address. */
  readonly known_client?: { readonly client_id: string; readonly client_secret: string | null }
  readonly lifetime_s?: number
  readonly now?: () => number
  /** Whether the refusal of the MCP server names its metadata. */
  readonly names_metadata?: boolean
  readonly required_scope?: string
  /** The MCP server has the transport of the first protocol version, and refuses messages at its address before it looks for a token. */
  readonly isOld?: boolean
  /** Answers before anything else does; true if it did. */
  readonly before?: (request: IncomingMessage, response: ServerResponse) => boolean
}

interface Client {
  readonly client_secret: string | null
  readonly redirect_uris: readonly string[] | 'loopback'
}

interface Code {
  readonly client_id: string
  readonly redirect_uri: string
  readonly code_challenge: string
  readonly resource: string
  readonly scope: string
}

interface Grant {
  readonly client_id: string
  readonly resource: string
  readonly scope: string
  access_token: string
  expires_at: number
  refresh_token: string
  isRevoked: boolean
}

export interface Authority {
  readonly issuer: string
  readonly mcp_url: string
  /** Requests to the authorization server, as method and path. */
  readonly requests: string[]
  /** What it refused, with the reason. */
  readonly refusals: string[]
  readonly grants: Grant[]
  readonly registered: Document[]
  /** The bearer tokens that the MCP server received. */
  readonly presented: string[]
  /** What a browser does in which the user approves the sign-in; the address it is sent back to. */
  approve(authorization_url: string): Promise<string>
}

const servers: Server[] = []

/** For each test of a file; closed after it. */
export function useAuthorities(): (options?: AuthorityOptions) => Promise<Authority> {
  afterEach(() => {
    for (const server of servers.splice(0)) {
      server.closeAllConnections()
      server.close()
    }
  })
  return startAuthority
}

async function listen(listener: RequestListener): Promise<string> {
  const server = createServer(listener).listen(0, '127.0.0.1')
  servers.push(server)
  await once(server, 'listening')
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

async function startAuthority(options: AuthorityOptions = {}): Promise<Authority> {
  const { path = '', metadata_at = 'inserted', lifetime_s = 3_600, now = Date.now, names_metadata = true } = options
  const same = (document: Document) => document
  const { metadata = same, resource_metadata = same, token = same } = options
  const clients = new Map<string, Client>()
  const codes = new Map<string, Code>()
  const usedCodes = new Map<string, Grant>()
  const grants: Grant[] = []
  const usedRefreshTokens = new Map<string, Grant>()
  const requests: string[] = []
  const refusals: string[] = []
  const registered: Document[] = []
  const presented: string[] = []
  const streams = new Map<string, SSEServerTransport>()
  if (options.known_client)
    clients.set(options.known_client.client_id, { client_secret: options.known_client.client_secret, redirect_uris: 'loopback' })

  const origin = await listen((request, response) => void respond(request, response))
  const issuer = `${origin}${path}`
  const resource = await listen((request, response) => void protectedServer(request, response))
  const mcp_url = `${resource}/mcp`

  function json(response: ServerResponse, status: number, document: Document): ServerResponse {
    return response.writeHead(status, { 'content-type': 'application/json', 'cache-control': 'no-store' }).end(JSON.stringify(document))
  }

  function refuse(response: ServerResponse, error: string, why: string, status = 400): ServerResponse {
    refusals.push(why)
    return json(response, status, { error, error_description: why })
  }

  const places = {
    inserted: `/.well-known/oauth-authorization-server${path}`,
    openid_inserted: `/.well-known/openid-configuration${path}`,
    openid: `${path}/.well-known/openid-configuration`,
  }

  async function respond(request: IncomingMessage, response: ServerResponse): Promise<unknown> {
    const url = new URL(request.url ?? '/', origin)
    requests.push(`${request.method} ${url.pathname}`)
    if (options.before?.(request, response)) return
    if (url.pathname === places[metadata_at]) {
      const document = {
        issuer,
        authorization_endpoint: `${issuer}/authorize`,
        token_endpoint: `${issuer}/token`,
        registration_endpoint: `${issuer}/register`,
        revocation_endpoint: `${issuer}/revoke`,
        response_types_supported: ['code'],
        grant_types_supported: ['authorization_code', 'refresh_token'],
        code_challenge_methods_supported: ['S256'],
        token_endpoint_auth_methods_supported: ['none', 'client_secret_post', 'client_secret_basic'],
      }
      return json(response, 200, metadata(document))
    }
    if (url.pathname === `${path}/register`) return register(JSON.parse(await bodyOf(request)), response)
    if (url.pathname === `${path}/authorize`) return authorize(url.searchParams, response)
    if (url.pathname === `${path}/token`) return exchange(request, new URLSearchParams(await bodyOf(request)), response)
    if (url.pathname === `${path}/revoke`) {
      const revoked = new URLSearchParams(await bodyOf(request)).get('token')
      for (const grant of grants) grant.isRevoked ||= grant.refresh_token === revoked || grant.access_token === revoked
      return json(response, 200, {})
    }
    return response.writeHead(404).end()
  }

  function register(wanted: Document, response: ServerResponse): ServerResponse {
    registered.push(wanted)
    const client_id = `client-${randomBytes(8).toString('hex')}`
    const client_secret = wanted.token_endpoint_auth_method === 'none' ? null : randomBytes(16).toString('hex')
    clients.set(client_id, { client_secret, redirect_uris: wanted.redirect_uris as string[] })
    return json(response, 201, { ...wanted, client_id, ...(client_secret === null ? {} : { client_secret }) })
  }

  function authorize(query: URLSearchParams, response: ServerResponse): ServerResponse {
    const value = (name: string) => query.get(name) ?? ''
    const client = clients.get(value('client_id'))
    const redirect = URL.parse(value('redirect_uri'))
    const isKnown =
      client?.redirect_uris === 'loopback'
        ? redirect?.hostname === '127.0.0.1' && redirect.pathname === '/callback'
        : client?.redirect_uris.includes(value('redirect_uri'))
    if (!client || !redirect || !isKnown) return refuse(response, 'invalid_request', 'the client or its redirect address is not registered')
    if (value('response_type') !== 'code') return refuse(response, 'unsupported_response_type', 'not a code')
    if (value('code_challenge_method') !== 'S256' || value('code_challenge').length !== 43)
      return refuse(response, 'invalid_request', 'no S256 challenge')
    if (value('resource') !== mcp_url) return refuse(response, 'invalid_target', `the resource is ${value('resource')}`)
    if (value('state').length < 22) return refuse(response, 'invalid_request', 'the state can be guessed')
    const code = randomBytes(16).toString('base64url')
    codes.set(code, {
      client_id: value('client_id'),
      redirect_uri: value('redirect_uri'),
      code_challenge: value('code_challenge'),
      resource: value('resource'),
      scope: value('scope'),
    })
    redirect.searchParams.set('code', code)
    redirect.searchParams.set('state', value('state'))
    return response.writeHead(302, { location: redirect.href }).end()
  }

  function isProven({ client_secret }: Client, request: IncomingMessage, fields: URLSearchParams, client_id: string): boolean {
    if (client_secret === null) return true
    const basic = `Basic ${Buffer.from(`${encodeURIComponent(client_id)}:${encodeURIComponent(client_secret)}`).toString('base64')}`
    return fields.get('client_secret') === client_secret || request.headers.authorization === basic
  }

  function exchange(request: IncomingMessage, fields: URLSearchParams, response: ServerResponse): ServerResponse {
    const basic = Buffer.from(request.headers.authorization?.replace(/^Basic /, '') ?? '', 'base64').toString()
    const client_id = fields.get('client_id') ?? decodeURIComponent(basic.split(':')[0] ?? '')
    const client = clients.get(client_id)
    if (!client || !isProven(client, request, fields, client_id)) return refuse(response, 'invalid_client', 'the client is not known', 401)
    if (fields.get('resource') !== mcp_url) return refuse(response, 'invalid_target', 'the resource is another one')
    if (fields.get('grant_type') === 'authorization_code') return byCode(fields, client_id, response)
    if (fields.get('grant_type') === 'refresh_token') return byRefreshToken(fields, client_id, response)
    return refuse(response, 'unsupported_grant_type', 'not a known grant')
  }

  function byCode(fields: URLSearchParams, client_id: string, response: ServerResponse): ServerResponse {
    const text = fields.get('code') ?? ''
    const code = codes.get(text)
    const before = usedCodes.get(text)
    // A code that comes twice was stolen: its tokens end.
    if (before) before.isRevoked = true
    if (!code) return refuse(response, 'invalid_grant', 'the code is not known, or was used')
    codes.delete(text)
    if (code.client_id !== client_id) return refuse(response, 'invalid_grant', 'the code belongs to another client')
    if (code.redirect_uri !== fields.get('redirect_uri')) return refuse(response, 'invalid_grant', 'the redirect address is another one')
    const challenge = createHash('sha256')
      .update(fields.get('code_verifier') ?? '')
      .digest('base64url')
    if (challenge !== code.code_challenge) return refuse(response, 'invalid_grant', 'the verifier does not match')
    const grant = { client_id, resource: code.resource, scope: code.scope, ...newTokens(), isRevoked: false }
    grants.push(grant)
    usedCodes.set(text, grant)
    return issue(grant, response)
  }

  function byRefreshToken(fields: URLSearchParams, client_id: string, response: ServerResponse): ServerResponse {
    const text = fields.get('refresh_token') ?? ''
    const stolen = usedRefreshTokens.get(text)
    if (stolen) stolen.isRevoked = true
    const grant = grants.find((each) => each.refresh_token === text && each.client_id === client_id)
    if (!grant || grant.isRevoked) return refuse(response, 'invalid_grant', 'the refresh token is not known, or was used')
    usedRefreshTokens.set(text, grant)
    Object.assign(grant, newTokens())
    return issue(grant, response)
  }

  function newTokens() {
    return {
      access_token: `access-${randomBytes(16).toString('hex')}`,
      refresh_token: `refresh-${randomBytes(16).toString('hex')}`,
      expires_at: now() + lifetime_s * 1_000,
    }
  }

  function issue({ access_token, refresh_token, scope }: Grant, response: ServerResponse): ServerResponse {
    return json(response, 200, token({ access_token, refresh_token, token_type: 'Bearer', expires_in: lifetime_s, scope }))
  }

  async function protectedServer(request: IncomingMessage, response: ServerResponse): Promise<unknown> {
    if (request.url?.startsWith('/.well-known/oauth-protected-resource')) {
      if (request.url !== '/.well-known/oauth-protected-resource/mcp') return response.writeHead(404).end()
      return json(response, 200, resource_metadata({ resource: mcp_url, authorization_servers: [issuer] }))
    }
    if (options.isOld && request.method === 'POST' && request.url === '/mcp') return response.writeHead(405).end()
    const bearer = /^Bearer (.+)$/.exec(request.headers.authorization ?? '')?.[1]
    if (bearer !== undefined) presented.push(bearer)
    const grant = grants.find((each) => each.access_token === bearer)
    if (!grant || grant.isRevoked || grant.expires_at <= now() || grant.resource !== mcp_url) {
      const named = names_metadata ? ` resource_metadata="${resource}/.well-known/oauth-protected-resource/mcp"` : ' realm="mcp"'
      return response.writeHead(401, { 'www-authenticate': `Bearer${named}` }).end()
    }
    const body = request.method === 'POST' ? await bodyOf(request) : ''
    const { required_scope } = options
    if (required_scope !== undefined && body.includes('tools/call') && !grant.scope.split(' ').includes(required_scope)) {
      const challenge = `Bearer error="insufficient_scope", scope="${required_scope}"`
      return response.writeHead(403, { 'www-authenticate': challenge }).end()
    }
    const stream = streams.get(new URL(request.url ?? '/', resource).searchParams.get('sessionId') ?? '')
    if (options.isOld && stream) return stream.handlePostMessage(request, response, JSON.parse(body))
    if (request.method !== (options.isOld ? 'GET' : 'POST')) return response.writeHead(405).end()
    const server = new McpServer({ name: 'protected', version: '1.0.0' })
    server.registerTool('who', { description: 'Returns who is signed in.' }, () => ({ content: [{ type: 'text', text: grant.client_id }] }))
    if (options.isOld) {
      const opened = new SSEServerTransport('/messages', response)
      streams.set(opened.sessionId, opened)
      return server.connect(opened)
    }
    const transport = new StreamableHTTPServerTransport({})
    await server.connect(transport as Parameters<McpServer['connect']>[0])
    return transport.handleRequest(request, response, JSON.parse(body))
  }

  return {
    issuer,
    mcp_url,
    requests,
    refusals,
    grants,
    registered,
    presented,
    async approve(authorization_url) {
      const answer = await fetch(authorization_url, { redirect: 'manual' })
      const location = answer.headers.get('location')
      if (answer.status !== 302 || location === null) throw new Error(`the sign-in page refused: ${await answer.text()}`)
      return location
    },
  }
}

async function bodyOf(request: IncomingMessage): Promise<string> {
  const parts: Buffer[] = []
  for await (const part of request) parts.push(part)
  return Buffer.concat(parts).toString()
}
