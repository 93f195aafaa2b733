// A process that indexes and embeds endlessly, to be killed. It reports how many notes it has written.
import { note, openTestRecall } from './test-recall.ts'

const [, , home = '', from = '0'] = process.argv
const here = openTestRecall({ home, isEmbedded: true, model: countingModel() })
here.choose('model', 'letters')

for (let no = Number(from); ; no += 1) {
  const id = `n${String(no).padStart(6, '0')}`
  here.write([note(id, `note number ${no} about the ${no % 2 === 0 ? 'green' : 'blue'} boat`, { group: `g${no % 5}`, at: no })])
  if (no % 7 === 6) here.write([], [`n${String(no - 3).padStart(6, '0')}`])
  process.stdout.write(`${no}\n`)
  if (no % 10 === 9) await here.recall.settled()
  if (no % 40 === 39) await here.recall.rebuild()
}

/** Vectors that count letters. */
function countingModel() {
  return {
    turn: () => Promise.reject(new Error('not a chat model')),
    contextWindow: () => Promise.reject(new Error('not a chat model')),
    embed: async (_model: string, texts: readonly string[]) => ({ ok: true as const, vectors: texts.map(letters) }),
    close: () => undefined,
  }
}

function letters(text: string): Float32Array {
  const vector = new Float32Array(64)
  for (const letter of text) vector[letter.charCodeAt(0) % 64] = (vector[letter.charCodeAt(0) % 64] ?? 0) + 1
  return vector
}
