// What an executor offers: its system, programs that skills ask for, and what its owner declared.
import { constants } from 'node:fs'
import { access } from 'node:fs/promises'
import { arch, hostname, platform } from 'node:os'
import { delimiter, isAbsolute, join } from 'node:path'
import { type ExecutorCapabilities, executorProtocols } from '@tandem/contract/executor'

/** Capabilities that are found by themselves, and the program that each needs. */
const programs: Readonly<Record<string, string>> = {
  'program.bash': 'bash',
  'program.cargo': 'cargo',
  'program.docker': 'docker',
  'program.ffmpeg': 'ffmpeg',
  'program.gcc': 'gcc',
  'program.git': 'git',
  'program.go': 'go',
  'program.java': 'java',
  'program.make': 'make',
  'program.node': 'node',
  'program.nvidia_smi': 'nvidia-smi',
  'program.podman': 'podman',
  'program.python3': 'python3',
}

export async function offerOf(
  environment: Readonly<Record<string, string | undefined>>,
  version: string,
  declared: readonly string[],
): Promise<ExecutorCapabilities> {
  const folders = (environment.PATH ?? '').split(delimiter).filter(isAbsolute)
  const found = await Promise.all(
    Object.entries(programs).map(async ([name, program]) => ((await isOnPath(program, folders)) ? [name] : [])),
  )
  const names = [...new Set([`os.${platform()}`, `arch.${arch()}`, ...found.flat(), ...declared])]
  return {
    protocols: [...executorProtocols],
    executor: { name: hostname().slice(0, 500) || 'executor', version, os: platform(), arch: arch() },
    capabilities: names.map((name) => ({ name, version: null })),
  }
}

async function isOnPath(program: string, folders: readonly string[]): Promise<boolean> {
  const endings = platform() === 'win32' ? ['.exe', '.cmd'] : ['']
  for (const folder of folders) {
    for (const ending of endings) {
      try {
        await access(join(folder, `${program}${ending}`), constants.X_OK)
        return true
      } catch {
        // Not in this folder.
      }
    }
  }
  return false
}
