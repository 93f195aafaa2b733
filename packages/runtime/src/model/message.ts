// Messages to and from a model, in the format of nearly every model API.

/** Provider-specific fields that its next turn needs unchanged: thought signatures, reasoning. Never read here. */
export type ProviderFields = Readonly<Record<string, unknown>>

export interface WireCall {
  readonly id: string
  readonly type: 'function'
  readonly function: { readonly name: string; readonly arguments: string }
  readonly provider_fields?: ProviderFields
}

/** An image in a request. */
export interface WireImage {
  readonly name: string
  /** `data:image/png;base64,…` */
  readonly url: string
}

export type ContentPart =
  | { readonly type: 'text'; readonly text: string }
  | { readonly type: 'image_url'; readonly image_url: { readonly url: string } }

export type ModelMessage =
  | { readonly role: 'system'; readonly content: string }
  | { readonly role: 'user'; readonly content: string | readonly ContentPart[] }
  | {
      readonly role: 'assistant'
      readonly content: string | null
      readonly tool_calls?: readonly WireCall[]
      readonly provider_fields?: ProviderFields
    }
  | { readonly role: 'tool'; readonly tool_call_id: string; readonly content: string }

export interface ModelTool {
  readonly type: 'function'
  readonly function: { readonly name: string; readonly description: string; readonly parameters: unknown }
}

/** The same conversation for a model without tools: servers refuse tool calls if the request defines no tools. */
export function withoutToolCalls(messages: readonly ModelMessage[]): ModelMessage[] {
  const names = new Map<string, string>()
  return messages.map((message) => {
    if (message.role === 'tool') {
      return { role: 'user', content: `Result of ${names.get(message.tool_call_id) ?? 'a call'}:\n${message.content}` }
    }
    if (message.role !== 'assistant' || !message.tool_calls) return message
    for (const { id, function: called } of message.tool_calls) names.set(id, called.name)
    const calls = message.tool_calls.map(({ function: called }) => `[Called ${called.name} with ${called.arguments}]`)
    return { role: 'assistant', content: [message.content ?? '', ...calls].filter((part) => part !== '').join('\n') }
  })
}
