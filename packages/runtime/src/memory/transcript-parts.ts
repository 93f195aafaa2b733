// A long conversation in parts that a model can read in one call, so that nothing of it is left out. Pure.
import { mostCharacters } from './extract-with-model.ts'
import { maskSecrets } from './rule/secret/secrets.ts'
import type { ReadMessage } from './unread.ts'

/** The id and the author of a message, and the space between two. */
const aroundMessage = 80

/** In the order of the conversation. A message that is too long for one part is in several. */
export function inParts(messages: readonly ReadMessage[]): readonly (readonly ReadMessage[])[] {
  const parts: ReadMessage[][] = []
  let left = 0
  for (const message of messages.flatMap(pieces)) {
    const length = message.text.length + aroundMessage
    if (length > left) {
      parts.push([])
      left = mostCharacters
    }
    parts.at(-1)?.push(message)
    left -= length
  }
  return parts
}

/** Cut between words, and masked before: half of a secret looks like an ordinary word. */
function pieces(message: ReadMessage): readonly ReadMessage[] {
  const longest = mostCharacters - aroundMessage
  if (message.text.length <= longest) return [message]
  const list: ReadMessage[] = []
  for (let rest = maskSecrets(message.text); rest !== ''; ) {
    const space = rest.length <= longest ? rest.length : rest.slice(0, longest).search(/\s\S*$/)
    const end = space > 0 ? space : longest
    list.push({ ...message, text: rest.slice(0, end) })
    rest = rest.slice(end)
  }
  return list
}
