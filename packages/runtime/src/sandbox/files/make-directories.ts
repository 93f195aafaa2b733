// Creates a directory with its missing parents, each in its parent directory, which is kept open.
import { mkdir } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { asFileFailure, errorCode } from './file-failure.ts'
import type { OpenDirectory } from './open-directory.ts'
import type { PathResolver } from './path-resolver.ts'

/** All of it is checked before the first is created, and `judge` may add checks for the last one. `path` is as the caller gave it. */
export async function makeDirectories(
  way: PathResolver,
  absolute: string,
  path: string,
  judge: (real: string) => void = () => undefined,
): Promise<{ real: string; made: string[] }> {
  const missing: string[] = []
  let at = absolute
  try {
    let anchor = await nearest()
    const made: string[] = []
    try {
      const real = join(anchor.real, ...missing)
      for (let depth = 0; depth <= missing.length; depth++) way.demand(join(anchor.real, ...missing.slice(0, depth)), 'write', 'directory')
      judge(real)
      for (const name of missing) {
        await mkdir(anchor.at(name)).then(
          () => made.push(join(anchor.real, name)),
          (error: unknown) => {
            if (errorCode(error) !== 'EEXIST') throw error
          },
        )
        const inside = await anchor.enter(name)
        await anchor.close()
        anchor = inside
      }
      await anchor.confirm()
      return { real, made }
    } finally {
      await anchor.close()
    }
  } catch (error) {
    throw asFileFailure(error, path)
  }

  async function nearest(): Promise<OpenDirectory> {
    for (;;) {
      try {
        return await way.anchoring(at)
      } catch (error) {
        if (errorCode(error) !== 'ENOENT' || at === dirname(at)) {
          way.demand(absolute, 'write', 'directory')
          throw error
        }
        missing.unshift(basename(at))
        at = dirname(at)
      }
    }
  }
}
