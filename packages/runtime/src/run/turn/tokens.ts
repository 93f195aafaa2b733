// How much of a model's context window something needs. An estimate, corrected by the model's own counts.
import type { ModelMessage, ModelTool, ProviderFields } from '../../model/message.ts'
import { fieldsToSend } from '../../model/provider-fields.ts'

const charactersPerToken = 4
const perMessage = 4
/** The cost of an image, whatever its file. */
const perPicture = 1_200 * charactersPerToken

export function estimateTokens(messages: readonly ModelMessage[], tools: readonly ModelTool[] = []): number {
  const said = messages.reduce((sum, message) => sum + perMessage + characters(message) / charactersPerToken, 0)
  return Math.ceil(said + toolTokens(tools))
}

/** The tools are the same for many turns: their length is computed once. */
const lengths = new WeakMap<readonly ModelTool[], number>()

function toolTokens(tools: readonly ModelTool[]): number {
  if (tools.length === 0) return 0
  const length = lengths.get(tools) ?? JSON.stringify(tools).length
  lengths.set(tools, length)
  return length / charactersPerToken
}

function characters(message: ModelMessage): number {
  if (message.role === 'user' && typeof message.content !== 'string') {
    return message.content.reduce((sum, part) => sum + (part.type === 'text' ? part.text.length : perPicture), 0)
  }
  if (message.role !== 'assistant') return message.content.length
  const calls = message.tool_calls ?? []
  const own = (message.content?.length ?? 0) + fieldCharacters(message.provider_fields, calls.length > 0)
  return calls.reduce(
    (sum, { function: { name, arguments: args }, provider_fields }) =>
      sum + name.length + args.length + 20 + fieldCharacters(provider_fields, true),
    own,
  )
}

function fieldCharacters(fields: ProviderFields | undefined, hasCalls: boolean): number {
  return fields ? JSON.stringify(fieldsToSend(fields, hasCalls)).length : 0
}

/** How far the last estimate was off; limited, because one odd count must not shrink or overfill the context window. */
export function correction(estimated: number, counted: number): number {
  if (estimated <= 0 || counted <= 0) return 1
  return Math.min(3, Math.max(0.5, counted / estimated))
}
