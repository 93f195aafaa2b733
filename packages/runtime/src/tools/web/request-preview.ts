// The preview of a request. Values that look like secrets are masked; the arguments of the approval contain them.
import { type CallPreview, cutText, previewLimits } from '@tandem/contract/run'
import { maskHeaderValue } from './mask.ts'

export interface PreviewedRequest {
  readonly url: string
  readonly method: string
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string | null
}

export function requestPreview({ url, method, headers = {}, body = null }: PreviewedRequest): CallPreview {
  const shown = body === null ? null : cutText(body, previewLimits.body_characters)
  return {
    kind: 'request',
    method,
    // As it will be requested: non-Latin letters in a host become visible.
    url: URL.parse(url)?.href ?? url,
    headers: Object.entries(maskHeaderValue(headers)).map(([name, value]) => ({ name, value })),
    body: shown?.text ?? null,
    body_truncated: shown?.cut ?? false,
  }
}
