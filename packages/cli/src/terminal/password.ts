// A secret from the person: typed without being shown, or the first line of the standard input. Never a word of the command, which others can see.
import { StringDecoder } from 'node:string_decoder'

/** Null when nobody gave one. */
export async function readSecret(prompt: string): Promise<string | null> {
  return process.stdin.isTTY ? await typed(prompt, process.stdin, process.stderr) : await firstLine(process.stdin)
}

interface Keys extends NodeJS.EventEmitter {
  setRawMode(raw: boolean): unknown
  resume(): unknown
  pause(): unknown
}

export async function typed(prompt: string, keys: Keys, screen: Pick<NodeJS.WritableStream, 'write'>): Promise<string | null> {
  screen.write(prompt)
  const decoder = new StringDecoder('utf8')
  const end = Promise.withResolvers<string | null>()
  let letters: string[] = []
  const press = (bytes: Buffer) => {
    for (const key of decoder.write(bytes)) {
      if (key === '\r' || key === '\n') end.resolve(letters.join(''))
      else if (key === '\u0003' || key === '\u0004') end.resolve(null)
      else if (key === '\u007f' || key === '\b') letters = letters.slice(0, -1)
      else if (key === '\u0015') letters = []
      else if (key >= ' ') letters.push(key)
    }
  }
  const gone = () => end.resolve(null)
  keys.setRawMode(true)
  keys.on('data', press)
  keys.once('end', gone)
  keys.resume()
  try {
    return await end.promise
  } finally {
    keys.off('data', press)
    keys.off('end', gone)
    keys.setRawMode(false)
    keys.pause()
    screen.write('\n')
  }
}

const longest = 10_000

async function firstLine(input: NodeJS.ReadableStream): Promise<string | null> {
  let text = ''
  input.setEncoding('utf8')
  for await (const piece of input) {
    text += piece
    if (text.includes('\n') || text.length > longest) break
  }
  const [first = ''] = text.split(/\r?\n/, 1)
  return first === '' ? null : first
}
