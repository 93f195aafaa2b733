// What failures of one kind have in common: the failure contract first, then the condition, and a template of the text last. Pure.
import { createHash } from 'node:crypto'
import type { FailurePattern } from '@tandem/contract/learning'
import { isKnownCode, vagueCodes } from './condition.ts'
import type { FailureFact } from './failures.ts'
import { bucketOf, type Tokens, templateText } from './template.ts'

export type Signature =
  | { readonly kind: 'exact'; readonly signature: string }
  /** Patterns whose signature begins with `bucket` may have a similar template. */
  | { readonly kind: 'similar'; readonly signature: string; readonly bucket: string; readonly tokens: Tokens }

export function signatureOf(failure: Omit<FailureFact, 'lines'>): Signature {
  const { failure_contract: contract, condition, tool, program, tokens } = failure
  if (contract && contract.taxonomy !== 'none') return exact(`failure ${contract.stage} ${contract.source} ${contract.reason_code}`)
  if (condition !== null) return exact(`condition ${condition}`)
  if (contract && !vagueCodes.has(contract.reason_code)) {
    return exact(`failure ${contract.stage} ${contract.source} ${contract.reason_code}`)
  }
  const where = contract ? `${contract.stage} ${contract.source} ${contract.reason_code}` : `${tool ?? ''} ${program ?? ''}`
  const bucket = `text ${where.slice(0, 200)} ${digest(bucketOf(tokens))} `
  return { kind: 'similar', signature: bucket + digest(templateText(tokens)), bucket, tokens }
}

/**
 * Whether the words of the template may be shown. One text is evidence, whatever its words say: the words are shown once a second, different
 * text had them too, or if the condition is known.
 */
export function isContent({ signature, template, reason_code }: Pick<FailurePattern, 'signature' | 'template' | 'reason_code'>): boolean {
  // The signature of a pattern by its text ends with the digest of the first one.
  if (signature.startsWith('text ')) return !signature.endsWith(digest(template))
  return signature.startsWith('condition ') || isKnownCode(reason_code)
}

function exact(signature: string): Signature {
  return { kind: 'exact', signature: signature.slice(0, 500) }
}

function digest(text: string): string {
  return createHash('sha256').update(text).digest('hex').slice(0, 16)
}
