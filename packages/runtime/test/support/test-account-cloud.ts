// A cloud that signs everyone in, responds to the account routes as a test says, and has nothing else.
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Session } from '@tandem/contract/auth'
import { type ProblemCode, problems } from '@tandem/contract/problem'

interface CloudReply {
  readonly status: number
  readonly body?: unknown
  readonly headers?: Readonly<Record<string, string>>
}

export interface AccountCloud extends AsyncDisposable {
  readonly url: string
  /** Each request to an account route except the sign-in, as it arrived. */
  readonly asked: { readonly route: string; readonly body: unknown }[]
  /** The next responses of the account routes; `cut` closes the connection without a response. */
  reply: CloudReply | 'cut'
}

export const accountSession: Session = {
  ...{ access_token: 'token', token_type: 'bearer', expires_in: 3_600, refresh_token: 'again' },
  session_id: '01890a5d-ac96-774b-bcce-b302099a8057',
  user: {
    ...{ id: '01890a5d-ac96-774b-bcce-b302099a8058', email: 'mara@example.org', display_name: 'Mara', locale: 'en', time_zone: 'UTC' },
    ...{ version: 1, created_at: '2026-01-01T00:00:00.000Z', updated_at: '2026-01-01T00:00:00.000Z' },
  },
}

export function problem(code: ProblemCode, detail: string, headers: Readonly<Record<string, string>> = {}): CloudReply {
  const { status, title } = problems[code]
  return { status, body: { title, status, code, detail }, headers }
}

export async function startAccountCloud(): Promise<AccountCloud> {
  const server = createServer(async (request, response) => {
    let text = ''
    for await (const piece of request) text += piece
    const { method, url = '' } = request
    const answer = ({ status, body, headers }: CloudReply) => {
      response.writeHead(status, { 'content-type': 'application/json', ...headers })
      response.end(body === undefined ? undefined : JSON.stringify(body))
    }
    if (url === '/api/v1/auth/login') return answer({ status: 200, body: accountSession })
    if (!/^\/api\/v1\/(?:auth|users\/(?:delete|keys))/.test(url)) return answer(problem('database_unavailable', 'not here'))
    cloud.asked.push({ route: `${method} ${url}`, body: text === '' ? undefined : JSON.parse(text) })
    if (cloud.reply === 'cut') return request.socket.destroy()
    answer(cloud.reply)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const cloud: AccountCloud = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    asked: [],
    reply: { status: 204 },
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
  return cloud
}
