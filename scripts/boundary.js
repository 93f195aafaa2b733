// Reads every module of the packages and checks its imports against the rules.
import { existsSync, globSync, readFileSync } from 'node:fs'
import { Visitor } from '@swc/core/Visitor.js'
import { cruise } from 'dependency-cruiser'
import { evaluatingCalls, importRules } from './boundary-rules.js'
import { isOutsideLayers } from './layers.js'
import { root } from './setup/paths.js'

// The parser supports `using`, but the visitor that the checker is built on does not support the statement yet.
const { visitStatement } = Visitor.prototype
Visitor.prototype.visitStatement = function (statement) {
  if (statement.type !== 'UsingDeclaration') return visitStatement.call(this, statement)
  statement.decls = this.visitVariableDeclarators(statement.decls)
  return statement
}

if (import.meta.main) {
  const { violations, seen, unseen, outsideLayers } = await checkBoundary(root)
  for (const violation of violations) console.log(`${violation.rule}: ${violation.from} → ${violation.to}\n    ${violation.why}`)
  for (const file of unseen) console.log(`not seen by the checker: ${file}`)
  for (const file of outsideLayers) console.log(`no layer names the folder of ${file}: add it to scripts/layers.js and ARCHITECTURE.md`)
  console.log(`${seen} modules seen`)
  process.exitCode = violations.length + unseen.length + outsideLayers.length > 0 || seen === 0 ? 1 : 0
}

/** The violations below `folder`, and the modules that the checker did not see. */
export async function checkBoundary(folder, entries = ['packages']) {
  const files = modulesOf(folder)
  const { output } = await cruise(
    entries,
    {
      baseDir: folder,
      parser: 'swc',
      tsPreCompilationDeps: true,
      doNotFollow: { path: 'node_modules' },
      exclude: { path: '(?:^|/)dist/' },
      ruleSet: { forbidden: importRules },
      validate: true,
    },
    { extensions: ['.ts', '.tsx', '.js', '.json'], conditionNames: ['import', 'node', 'default'], exportsFields: ['exports'] },
  )
  const seen = new Set(output.modules.map((module) => module.source))
  return {
    violations: [
      ...output.summary.violations.map(({ rule, from, to }) => ({
        rule: rule.name,
        from,
        to,
        why: importRules.find((one) => one.name === rule.name)?.comment ?? '',
      })),
      ...files.flatMap((file) => evaluations(folder, file)),
    ],
    seen: files.filter((file) => seen.has(file)).length,
    unseen: files.filter((file) => !seen.has(file)),
    outsideLayers: files.filter(isOutsideLayers),
  }
}

/** Ways to load a forbidden module without an import. */
function evaluations(folder, file) {
  if (!new RegExp(evaluatingCalls.from).test(file) || new RegExp(evaluatingCalls.fromNot).test(file)) return []
  const [word] = new RegExp(evaluatingCalls.words).exec(readFileSync(`${folder}/${file}`, 'utf8')) ?? []
  return word === undefined ? [] : [{ rule: evaluatingCalls.name, from: file, to: word, why: evaluatingCalls.comment }]
}

function modulesOf(folder) {
  return globSync('packages/*/{src,bin,test}/**/*.{ts,tsx,js}', { cwd: folder, exclude: (name) => /node_modules|dist/.test(String(name)) })
    .map((file) => file.replaceAll('\\', '/'))
    .filter((file) => existsSync(`${folder}/${file}`))
    .sort()
}
