// What Anthropic's Messages API refuses in a request, as far as its documentation says so. A test upstream accepts everything; these
// rules show whether the real one would.

interface Block {
  readonly type?: unknown
  readonly text?: unknown
  readonly id?: unknown
  readonly name?: unknown
  readonly input?: unknown
  readonly tool_use_id?: unknown
  readonly content?: unknown
  readonly signature?: unknown
  readonly cache_control?: unknown
  readonly source?: { readonly type?: unknown; readonly media_type?: unknown; readonly data?: unknown; readonly url?: unknown }
}

interface Request {
  readonly max_tokens?: unknown
  readonly system?: readonly Block[]
  readonly messages?: readonly { readonly role?: unknown; readonly content?: readonly Block[] }[]
  readonly tools?: readonly { readonly name?: unknown; readonly input_schema?: { readonly type?: unknown } }[]
}

const fields = new Set([
  ...[
    'model',
    'max_tokens',
    'messages',
    'system',
    'tools',
    'tool_choice',
    'stop_sequences',
    'stream',
    'thinking',
    'output_config',
    'metadata',
  ],
])
const imageTypes = ['image/png', 'image/jpeg', 'image/gif', 'image/webp']

/** Empty if the API would accept the request. */
export function anthropicFaults(body: Buffer | string): string[] {
  const request = JSON.parse(String(body)) as Request
  const faults = Object.keys(request).flatMap((name) => (fields.has(name) ? [] : [`${name}: extra inputs are not permitted`]))
  const require = (holds: boolean, fault: string) => {
    if (!holds) faults.push(fault)
  }
  require(typeof request.max_tokens === 'number' && request.max_tokens > 0, 'max_tokens: field required')
  const messages = request.messages ?? []
  require(messages.length > 0, 'messages: at least one message is required')
  require(messages[0] === undefined || messages[0].role === 'user', 'messages.0: must be of the user')
  const names = new Set((request.tools ?? []).map(({ name }) => name))
  for (const { name, input_schema } of request.tools ?? []) {
    require(typeof name === 'string' && /^[a-zA-Z0-9_-]{1,128}$/.test(name), `tools: invalid name ${name}`)
    require(input_schema?.type === 'object', `tools: ${name}: input_schema.type must be object`)
    for (const word of ['anyOf', 'oneOf', 'allOf']) require(!(word in (input_schema ?? {})), `tools: ${name}: ${word} at the top`)
  }
  const used = new Set<unknown>()
  let open: unknown[] = []
  for (const [at, { role, content = [] }] of messages.entries()) {
    require(role === (at % 2 === 0 ? 'user' : 'assistant'), `messages.${at}: roles must alternate`)
    require(content.length > 0, `messages.${at}: content must not be empty`)
    const results = content.filter(({ type }) => type === 'tool_result')
    require(content.slice(0, results.length).every(({ type }) => type === 'tool_result'), `messages.${at}: results must come first`)
    const answered = results.map(({ tool_use_id }) => tool_use_id)
    require(JSON.stringify(answered.toSorted()) ===
      JSON.stringify(open.toSorted()), `messages.${at}: results ${answered} for calls ${open}`)
    open = []
    for (const block of content) {
      faults.push(...blockFaults(block).map((fault) => `messages.${at}: ${fault}`))
      if (block.type !== 'tool_use') continue
      require(role === 'assistant' && !used.has(block.id), `messages.${at}: the id ${block.id} is used twice`)
      require(names.has(block.name), `messages.${at}: the tool ${block.name} is not defined`)
      used.add(block.id)
      open.push(block.id)
    }
  }
  const marks = [...(request.system ?? []), ...messages.flatMap(({ content = [] }) => content)].filter(({ cache_control }) => cache_control)
  require(marks.length <= 4, 'at most four blocks may have cache_control')
  return faults
}

function blockFaults(block: Block): string[] {
  switch (block.type) {
    case 'text':
      return typeof block.text === 'string' && block.text.trim() !== '' ? [] : ['text must contain visible characters']
    case 'tool_use':
      return [
        ...(/^[a-zA-Z0-9_-]+$/.test(String(block.id)) ? [] : [`invalid id ${block.id}`]),
        ...(typeof block.input === 'object' && block.input !== null && !Array.isArray(block.input) ? [] : ['input must be an object']),
      ]
    case 'tool_result':
      return Array.isArray(block.content) ? block.content.flatMap(blockFaults) : []
    case 'image':
      return block.source?.type === 'url' || imageTypes.includes(String(block.source?.media_type)) ? [] : ['invalid image']
    case 'document':
      return block.source?.media_type === 'application/pdf' ? [] : ['invalid document']
    case 'thinking':
      return [...(block.signature ? [] : ['signature: field required']), ...(block.cache_control ? ['thinking cannot be cached'] : [])]
    case 'redacted_thinking':
      return []
    default:
      return [`unknown block ${block.type}`]
  }
}
