// Tokens of several runs, added up.
import type { Usage } from '@tandem/contract/run'

export const noUsage: Usage = { input_tokens: 0, output_tokens: 0, cached_tokens: 0, estimated: false }

export function sumOf(left: Usage, right: Usage): Usage {
  return {
    input_tokens: left.input_tokens + right.input_tokens,
    output_tokens: left.output_tokens + right.output_tokens,
    cached_tokens: left.cached_tokens + right.cached_tokens,
    estimated: left.estimated || right.estimated,
  }
}
