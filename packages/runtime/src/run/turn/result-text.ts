// The result of a call as text for the model: short, plain, and with a remedy if it failed.

import type { Tool } from '../../call/tool.ts'
import type { StepOf } from '../../journal/step.ts'

/** The maximum length of one result in the context window. The record has all of it. */
const longest = 32_000

export function resultText(tool: Tool | undefined, step: StepOf<'tool.result'>): string {
  const { outcome, output, failure_contract } = step
  const body = output === null ? '' : written(tool, step)
  if (outcome === 'succeeded') return bounded(body === '' ? 'Done.' : body)
  const { message = 'it failed', remedy } = failure_contract?.details ?? {}
  const head = `${heads[outcome]} (${failure_contract?.reason_code ?? outcome}): ${sentences(message, remedy)}`
  return bounded(body === '' ? head : `${head}\n\n${body}`)
}

const heads = {
  failed: 'The call failed',
  denied: 'The call was not made',
  timed_out: 'The call timed out',
  canceled: 'The call was canceled',
  interrupted: 'The call was interrupted; it may or may not have taken effect',
} as const

function written(tool: Tool | undefined, { output, truncated }: StepOf<'tool.result'>): string {
  if (typeof output === 'string') return output
  if (tool?.present && !truncated) {
    try {
      return tool.present(output)
    } catch {
      // Written by an older version of the tool: shown as it is.
    }
  }
  return JSON.stringify(output)
}

/** Messages often end without a period. */
function sentences(message: string, remedy: string | undefined): string {
  if (!remedy) return message
  return `${message}${/[.!?…]$/.test(message.trimEnd()) ? '' : '.'} ${remedy}`
}

function bounded(text: string): string {
  if (text.length <= longest) return text
  const half = Math.floor(longest / 2)
  return `${text.slice(0, half)}\n[… ${text.length - 2 * half} characters left out …]\n${text.slice(-half)}`
}
