// Reads the file in LLM_CONFIG.
import { readFile } from 'node:fs/promises'
import type { Environment } from '../variables.ts'
import type { ConfigText } from './settings.ts'

const bytesMax = 1024 * 1024

export async function readLlmFile(env: Environment): Promise<ConfigText> {
  const path = env.LLM_CONFIG?.trim()
  if (!path) return undefined
  try {
    const text = await readFile(path, 'utf8')
    return text.length > bytesMax ? { cause: 'points to a file that is too large' } : { text }
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : 'unknown'
    return { cause: `points to a file that cannot be read (${code})` }
  }
}
