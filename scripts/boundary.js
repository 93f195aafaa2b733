// Reads every module of the packages and holds their imports against the rules.
import { existsSync, globSync } from 'node:fs'
import { cruise } from 'dependency-cruiser'
import { floors, forbidden } from './boundary-rules.js'
import { root } from './setup/paths.js'

if (import.meta.main) {
  const { violations, seen, unseen, unhoused } = await checkBoundary(root)
  for (const violation of violations) console.log(`${violation.rule}: ${violation.from} → ${violation.to}\n    ${violation.why}`)
  for (const file of unseen) console.log(`not seen by the checker: ${file}`)
  for (const file of unhoused) console.log(`no floor has this room: ${file} (name it in scripts/boundary-rules.js and ARCHITECTURE.md)`)
  console.log(`${seen} modules seen`)
  process.exitCode = violations.length + unseen.length + unhoused.length > 0 || seen === 0 ? 1 : 0
}

/** What breaks a rule below `folder`, and which of its modules the checker did not see. */
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
      ruleSet: { forbidden },
      validate: true,
    },
    { extensions: ['.ts', '.tsx', '.js', '.json'], conditionNames: ['import', 'node', 'default'], exportsFields: ['exports'] },
  )
  const seen = new Set(output.modules.map((module) => module.source))
  return {
    violations: output.summary.violations.map(({ rule, from, to }) => ({
      rule: rule.name,
      from,
      to,
      why: forbidden.find((one) => one.name === rule.name)?.comment ?? '',
    })),
    seen: files.filter((file) => seen.has(file)).length,
    unseen: files.filter((file) => !seen.has(file)),
    unhoused: files.filter(isUnhoused),
  }
}

function modulesOf(folder) {
  return globSync('packages/*/{src,bin,test}/**/*.{ts,tsx,js}', { cwd: folder, exclude: (name) => /node_modules|dist/.test(String(name)) })
    .map((file) => file.replaceAll('\\', '/'))
    .filter((file) => existsSync(`${folder}/${file}`))
    .sort()
}

function isUnhoused(file) {
  const room = /^packages\/runtime\/src\/([^/]+)\//.exec(file)?.[1]
  return room !== undefined && !floors.flat().includes(room)
}
