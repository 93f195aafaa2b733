// Which files each program takes instructions from. A remembered command is covered only while these files stay the same, and a command
// has a warning if an agent has changed one of them.
import { homedir } from 'node:os'
import { join, resolve } from 'node:path'
import { addGitInstructions } from './git-instructions.ts'
import { type InstructionFile, InstructionFiles, namesIn, upwards } from './instruction-files.ts'
import { followMakefiles } from './makefile-instructions.ts'
import { type EnterFolder, followScripts } from './script-instructions.ts'

export interface Instructions {
  readonly files: readonly InstructionFile[]
  /** SHA-256 over the paths and contents. */
  readonly digest: string
  /** Why it cannot be determined which files count; null if all of them are in `files`. */
  readonly unclear: string | null
}

interface InstructionRow {
  /** A note for the user: the rest of a sentence that begins with the name of the program. */
  readonly note?: string
  /** Files in the folder that the command runs in. */
  readonly here?: string
  /** Files in that folder and in every folder above it. */
  readonly up?: string
  /** Files in the home folder. */
  readonly home?: string
  /** Adds the files that these files refer to. */
  follow?(files: InstructionFiles, folder: string, enter: EnterFolder): Promise<void>
}

const scripts = 'runs code of this project: the scripts of package.json and what they run.'
const packages = { note: scripts, follow: followScripts } as const

/** Programs without a note are not remembered; they are listed because scripts start them. */
const table = {
  npm: { up: 'package.json .npmrc', home: '.npmrc', ...packages },
  pnpm: { up: 'package.json .npmrc pnpm-workspace.yaml .pnpmfile.cjs .pnpmfile.mjs', home: '.npmrc', ...packages },
  yarn: { up: 'package.json .npmrc .yarnrc .yarnrc.yml .pnp.cjs .pnp.loader.mjs', home: '.npmrc .yarnrc .yarnrc.yml', ...packages },
  make: { note: 'runs code of this project: the commands of its Makefile.', follow: followMakefiles },
  git: {
    note: 'follows the configuration, hooks and attributes of this repository, which can run other programs.',
    follow: addGitInstructions,
  },
  cargo: {
    note: 'builds and runs code of this project: its crates and their build scripts.',
    up: 'Cargo.toml build.rs .cargo/config .cargo/config.toml rust-toolchain rust-toolchain.toml',
    home: '.cargo/config .cargo/config.toml',
    follow: followCrates,
  },
  go: { note: 'builds and runs code of this project.', up: 'go.mod go.work', home: '.config/go/env' },
  vitest: { here: 'vitest.config.* vite.config.* vitest.workspace.*' },
  vite: { here: 'vite.config.*' },
  jest: { here: 'jest.config.*' },
  mocha: { here: '.mocharc*' },
  playwright: { here: 'playwright.config.*' },
  eslint: { up: 'eslint.config.* .eslintrc*' },
  prettier: { up: '.prettierrc* prettier.config.*' },
  webpack: { here: 'webpack.config.*' },
  rollup: { here: 'rollup.config.*' },
  pytest: { here: 'conftest.py pytest.ini pyproject.toml setup.cfg tox.ini' },
} as const satisfies Record<string, InstructionRow>

type InstructedProgram = keyof typeof table

export async function instructionsOf(program: InstructedProgram, folder: string): Promise<Instructions> {
  const files = new InstructionFiles()
  await addProgram(files, program, folder, new Set())
  return { files: files.files, digest: files.digest(), unclear: files.unclear }
}

export function instructionNote(program: InstructedProgram): string {
  const row: InstructionRow = table[program]
  return `${program} ${row.note ?? 'runs code of this project.'}`
}

async function addProgram(files: InstructionFiles, program: InstructedProgram, folder: string, visited: Set<string>): Promise<void> {
  const visit = `${program} ${folder}`
  if (visited.has(visit)) return
  visited.add(visit)
  const { here, up, home, follow }: InstructionRow = table[program]
  if (here) await files.addNamed(folder, here.split(' '))
  if (up) for (const above of upwards(folder)) await files.addNamed(above, up.split(' '))
  if (home) await files.addNamed(homedir(), home.split(' '))
  await follow?.(files, folder, async (entered, inside) => {
    if (Object.hasOwn(table, entered)) await addProgram(files, entered as InstructedProgram, inside, visited)
  })
}

/** The members of a workspace have their own manifests and build scripts. */
async function followCrates(files: InstructionFiles, folder: string): Promise<void> {
  for (const above of upwards(folder)) {
    const text = await new InstructionFiles().add(join(above, 'Cargo.toml'))
    const [, listed = ''] = /^members\s*=\s*\[([^\]]*)\]/m.exec(text ?? '') ?? []
    for (const [, member = ''] of listed.matchAll(/"([^"]+)"/g)) {
      const folders = member.endsWith('/*')
        ? (await namesIn(resolve(above, member.slice(0, -2)))).map((name) => resolve(above, member.slice(0, -2), name))
        : [resolve(above, member)]
      if (/[*?[]/.test(member.replace(/\/\*$/, ''))) files.unclear ??= `${above}/Cargo.toml lists its members with the pattern ${member}`
      for (const crate of folders) await files.addNamed(crate, ['Cargo.toml', 'build.rs'])
    }
  }
}
