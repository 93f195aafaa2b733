// Requests a page with the rules of web.fetch, and keeps it as a private copy.
import { ToolFailure } from '../call/failure.ts'
import type { ScopedNetwork } from '../call/network.ts'

const largestPage = 10 * 1_024 * 1_024
const redirects = 10

export async function fetchPage(network: Pick<ScopedNetwork, 'request'>, url: string, signal: AbortSignal): Promise<Uint8Array> {
  const response = await network.request({ url, method: 'GET', max_bytes: largestPage, redirects }, signal)
  if (response.status >= 400) {
    throw new ToolFailure('http_status', `${response.url} returned status ${response.status}`, {
      subject: response.url,
      remedy: 'Check the URL.',
      recoverability: response.status >= 500 || response.status === 429 ? 'retryable' : 'user_action',
    })
  }
  if (response.truncated) {
    throw new ToolFailure('too_large', `${response.url} has more than ${largestPage / 1_024 / 1_024} MiB`, {
      subject: response.url,
      remedy: 'Download it and add the file.',
      recoverability: 'user_action',
    })
  }
  return response.body
}
