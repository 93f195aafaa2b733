// Facts about calls of tools whose content stays on this device: of arguments and output, only ids and citations are sent. Pure.
import type { FailureContract } from '@tandem/contract/failure'
import { citationsIn } from '@tandem/contract/knowledge'
import type { Message, RunStep, ToolCall } from '@tandem/contract/run'
import type { WrittenWorkflowRunEvent } from '@tandem/contract/workflow-run'

const idField = /(?:^|_)ids?$/
const id = /^[\w.:-]{1,200}$/
/** A field name chosen by a developer. Anything else may be content used as a key. */
const fieldName = /^[a-z][a-z0-9_]{0,40}$/

/** The fields that are named as ids or citations and contain them, in their structure; null if there are none. */
export function idsIn(value: unknown): unknown {
  if (Array.isArray(value)) {
    const found = value.map(idsIn).filter((one) => one !== null)
    return found.length === 0 ? null : found
  }
  if (typeof value !== 'object' || value === null) return null
  const found = Object.entries(value).flatMap(([name, field]) => {
    if (!fieldName.test(name)) return []
    const kept = idField.test(name) ? idOf(field) : name === 'citation' ? citationIn(field) : idsIn(field)
    return kept === null ? [] : [[name, kept] as const]
  })
  return found.length === 0 ? null : Object.fromEntries(found)
}

function citationIn(field: unknown): string | null {
  return typeof field === 'string' && citationsIn(field)[0]?.citation === field ? field : null
}

function idOf(field: unknown): string | readonly string[] | null {
  if (typeof field === 'string') return id.test(field) ? field : null
  if (!Array.isArray(field)) return null
  const found = field.filter((one): one is string => typeof one === 'string' && id.test(one))
  return found.length === 0 ? null : found
}

/** Instead of a text that would leave this device. */
const withheld = 'This text may contain what an agent remembers, so it stays on the device where it was written.'

/** What a workflow asked an agent, with what it had computed before. */
export function messageWithoutWords({ text_file_id: _file, ...message }: Message): Message {
  return { ...message, text: withheld }
}

export function stepWithIds(step: RunStep): RunStep {
  switch (step.kind) {
    case 'tool.call': {
      const { arguments_file_id: _file, ...rest } = step
      return { ...rest, arguments: argumentIds(step.arguments) }
    }
    case 'tool.result': {
      const { output_file_id: _file, ...rest } = step
      return { ...rest, output: idsIn(step.output), truncated: false, failure_contract: failureWithoutWords(step.failure_contract) }
    }
    case 'approval.requested': {
      const { approval_id, call_id, tool, choices } = step.approval
      const nothing = { touches: [], protected: [], unprotected: [], remembers: [], warnings: [] }
      // The fingerprint is computed from the arguments, so short ones could be guessed from it. Other devices do not answer the approval.
      const unknown = { working_directory: null, fingerprint: '0'.repeat(64) }
      return {
        ...step,
        approval: { approval_id, call_id, tool, choices, ...unknown, ...nothing, arguments: argumentIds(step.approval.arguments) },
      }
    }
    case 'approval.answered':
      return { ...step, reason: null, edited_arguments: step.edited_arguments === null ? null : argumentIds(step.edited_arguments) }
    case 'question.asked':
      return { ...step, question: { ...step.question, question: withheld, options: [] } }
    case 'question.answered':
      return { ...step, answer: { chosen: [], text: withheld } }
    default:
      return step
  }
}

/** `call` has the arguments of a step that was sent with its ids only. */
export function callWithIds({ output_file_id: _file, ...call }: ToolCall): ToolCall {
  return { ...call, output: idsIn(call.output), truncated: false, failure_contract: failureWithoutWords(call.failure_contract) }
}

/** What a workflow computed from the output of such a call, or was given of it. */
export function eventWithIds(event: WrittenWorkflowRunEvent): WrittenWorkflowRunEvent {
  switch (event.kind) {
    case 'started':
      return event.inputs === undefined ? event : { ...event, inputs: argumentIds(event.inputs) }
    case 'node.completed': {
      const { output, output_file_id: _file, ...rest } = event
      return output === undefined ? rest : { ...rest, output: outputIds(output) }
    }
    case 'node.failed': {
      const { failure_contract } = event
      return { ...event, failure_contract: { ...failure_contract, details: withoutWords(failure_contract) } }
    }
    default:
      return event
  }
}

function outputIds(text: string): string {
  return JSON.stringify(idsIn(JSON.parse(text)))
}

function argumentIds(text: string): string {
  try {
    return JSON.stringify(idsIn(JSON.parse(text)) ?? {})
  } catch {
    return '{}'
  }
}

/** The failure without its texts, which may quote the content. */
function failureWithoutWords(failure: FailureContract | null): FailureContract | null {
  return failure && { ...failure, details: withoutWords(failure) }
}

function withoutWords({ source, reason_code }: FailureContract): FailureContract['details'] {
  return { message: `${source} failed: ${reason_code}` }
}
