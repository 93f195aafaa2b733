// Pictures that a message names by their path: they are attached, because a model cannot see a path.
import { homedir } from 'node:os'
import { isAbsolute, join, resolve } from 'node:path'

const picture = /\.(?:png|jpe?g|gif|webp)$/i
/** In quotes, or a word in which spaces are escaped, as terminals paste a dropped file. A mention begins with @. */
const words = /@?(?:"([^"\n]+)"|'([^'\n]+)'|((?:\\.|[^\s\\"'])+))/g

/** Absolute paths, each once; whether the files exist is for the caller to find out. */
export function imagePathsIn(text: string, folder: string, home = homedir()): readonly string[] {
  const found = [...text.matchAll(words)].flatMap(([, double, single, bare]) => {
    const path = double ?? single ?? bare?.replace(/^@/, '').replaceAll(/\\(.)/g, '$1') ?? ''
    return picture.test(path) && !/^[a-z]+:\/\//i.test(path) ? [absolute(path, folder, home)] : []
  })
  return [...new Set(found)]
}

function absolute(path: string, folder: string, home: string): string {
  if (path.startsWith('~/')) return join(home, path.slice(2))
  return isAbsolute(path) ? path : resolve(folder, path)
}
