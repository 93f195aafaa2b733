// Secrets from the user: typed without echo, or the first lines of standard input. Never an argument, because other users can see those.
import { StringDecoder } from 'node:string_decoder'

/** Null if none was given. */
export async function readSecret(prompt: string): Promise<string | null> {
  return process.stdin.isTTY ? await readHidden(prompt, process.stdin, process.stderr) : ((await firstLines(process.stdin, 1))[0] ?? null)
}

/** One per prompt, each a line of standard input if there is no terminal; null if one is missing. */
export async function readSecrets(prompts: readonly string[]): Promise<readonly string[] | null> {
  if (!process.stdin.isTTY) {
    const lines = await firstLines(process.stdin, prompts.length)
    return lines.length === prompts.length ? lines : null
  }
  const secrets: string[] = []
  for (const prompt of prompts) {
    const secret = await readHidden(prompt, process.stdin, process.stderr)
    if (secret === null || secret === '') return null
    secrets.push(secret)
  }
  return secrets
}

interface Keys extends NodeJS.EventEmitter {
  setRawMode(raw: boolean): unknown
  resume(): unknown
  pause(): unknown
}

export async function readHidden(prompt: string, keys: Keys, screen: Pick<NodeJS.WritableStream, 'write'>): Promise<string | null> {
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

/** Up to the first empty line. */
export async function firstLines(input: NodeJS.ReadableStream, count: number): Promise<readonly string[]> {
  let text = ''
  input.setEncoding('utf8')
  for await (const piece of input) {
    text += piece
    if (text.split('\n').length > count || text.length > longest) break
  }
  const lines = text.split(/\r?\n/).slice(0, count)
  const empty = lines.indexOf('')
  return empty < 0 ? lines : lines.slice(0, empty)
}
