import { rm, writeFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { ShellExecOutput } from '@tandem/contract/tool/output'
import Type from 'typebox'
import type { ToolContext } from '../../call/context.ts'
import { ToolFailure } from '../../call/failure.ts'
import { defineTool, type Tool } from '../../call/tool.ts'
import { commandPreview } from './command-preview.ts'
import { presentCommand } from './command-result.ts'
import { fileDigest } from './file-digest.ts'
import { type LanguageName, languageNames, languages, programOf, type ScriptLanguage } from './languages.ts'
import { processInput } from './process-input.ts'
import type { Processes } from './processes.ts'
import { runProcess } from './run-process.ts'

export function scriptRun(processes: Processes): Tool {
  return defineTool({
    name: 'script.run',
    summary:
      'Run a script in the given language: either its source, or a file in the workspace. Use it instead of shell.exec for more than a few lines, or for languages other than bash. Its file writes and network access are restricted to the scope of the run.',
    input: Type.Object(
      {
        language: Type.Union(
          languageNames.map((name) => Type.Literal(name)),
          { description: 'The language; its interpreter must be installed' },
        ),
        source: Type.Optional(
          Type.String({ minLength: 1, maxLength: 1_000_000, description: 'The source of the script, instead of `path`' }),
        ),
        path: Type.Optional(
          Type.String({ minLength: 1, maxLength: 4_096, description: 'A script file, relative to the workspace, instead of `source`' }),
        ),
        args: Type.Optional(Type.Array(Type.String({ maxLength: 10_000 }), { maxItems: 200, description: 'The arguments of the script' })),
        ...processInput,
        background: Type.Optional(Type.Boolean({ description: 'Return immediately with a process id while it keeps running' })),
      },
      { additionalProperties: false },
    ),
    output: ShellExecOutput,
    effects: ({ language, source, path, args = [], cwd = '.' }) => [
      { does: 'execute', command: source ?? [language, path, ...args].join(' '), cwd, language: 'script' },
      ...(path === undefined ? [] : [{ does: 'read', path } as const]),
    ],
    digest: async ({ path }, { workspace }) => (path === undefined ? '' : fileDigest(resolve(workspace, path))),
    async preview({ language, source, path, args = [], ...rest }, context) {
      const isSource = oneOf(source, path) === 'source'
      if (!isSource) await context.files.stat(path ?? '')
      const command = isSource ? (source ?? '') : [language, path, ...args].join(' ')
      return commandPreview({ ...rest, command, language, source: isSource, args }, context)
    },
    limits: { seconds: 600 },
    async run({ language, source, path, args = [], cwd = '.', timeout_seconds, background = false }, context) {
      const program = installed(language)
      const { extension, env }: ScriptLanguage = languages[language]
      const folder = await context.files.locate(cwd, 'read')
      const script = await scriptFile(context, { source, path, name: `script-${processes.newId()}.${extension}` })
      const answer = await runProcess(processes, context, {
        argv: [program, script.file, ...args],
        command: [language, path ?? '(source)', ...args].join(' '),
        cwd: folder,
        background,
        timeout_seconds,
        ...(env ? { env } : {}),
      }).finally(() => (background ? undefined : script.remove()))
      return answer
    },
    present: presentCommand,
  })
}

function installed(language: LanguageName): string {
  const program = programOf(language)
  if (program) return program
  const others = languageNames.filter((name) => programOf(name) !== null)
  throw new ToolFailure('interpreter_missing', `${language} is not installed on this machine`, {
    subject: language,
    remedy: `Install it, or use one of: ${others.join(', ')}.`,
    recoverability: 'user_action',
  })
}

function oneOf(source: string | undefined, path: string | undefined): 'source' | 'path' {
  if ((source === undefined) === (path === undefined)) {
    throw new ToolFailure('invalid_input', 'script.run requires either `source` or `path`', { remedy: 'Pass exactly one of the two.' })
  }
  return path === undefined ? 'source' : 'path'
}

interface ScriptFile {
  readonly file: string
  remove(): Promise<void>
}

async function scriptFile(
  context: ToolContext,
  { source, path, name }: { readonly source: string | undefined; readonly path: string | undefined; readonly name: string },
): Promise<ScriptFile> {
  if (oneOf(source, path) === 'path') return { file: await context.files.locate(path ?? '', 'read'), remove: async () => undefined }
  const file = join(context.temp, name)
  // Commands can write to this folder: use an unpredictable name, and never follow an existing entry.
  await writeFile(file, source ?? '', { flag: 'wx', mode: 0o600 })
  return { file, remove: () => rm(file, { force: true }) }
}
