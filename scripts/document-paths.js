// Every file of this repository that a document names must exist, and so must every test whose name follows its file.
// `node scripts/document-paths.js` prints those that do not.
import { existsSync, globSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { root } from './setup/paths.js'

const documents = ['*.md', 'docs/**/*.md']
/** `NAME` in a path is a placeholder. */
const placeholder = /(?:^|\/)[A-Z]{2,}\b(?!\.md)/

/** The paths in a document: in code, if they have a folder and the extension of a source, and in links. */
export function namedPaths(content) {
  return content.split('\n').flatMap((text, index) => {
    const code = [...text.matchAll(/`([\w@.-]+(?:\/[\w@.-]+)+\.(?:ts|tsx|js|sql|md))`/g)]
    const links = [...text.matchAll(/\]\((?![a-z]+:)([^)#\s]+)(?:#[^)]*)?\)/g)]
    const paths = [...code, ...links].map(([, path]) => path).filter((path) => !placeholder.test(path))
    return paths.map((path) => ({ line: index + 1, path }))
  })
}

/** Documents shorten paths: a package without `packages/` or `src`, a folder of a package without the package. */
export function candidates(path, document, packages) {
  const [first = '', ...rest] = path.split('/')
  return [
    path,
    join(dirname(document), path),
    `packages/${path}`,
    `packages/${first}/src/${rest.join('/')}`,
    ...packages.flatMap((name) => [`packages/${name}/${path}`, `packages/${name}/src/${path}`]),
  ]
}

export function missingPaths(files, packages, exists) {
  return files.flatMap(([document, content]) =>
    namedPaths(content)
      .filter(({ path }) => !candidates(path, document, packages).some(exists))
      .map(({ line, path }) => `${document}:${line}: ${path} does not exist`),
  )
}

/** The tests in a document: names in italics after the path of their file. The beginning of a name is enough. */
export function namedTests(content) {
  return content
    .split('\n')
    .flatMap((text, index) =>
      [...text.matchAll(/`([\w@./-]+\.test\.(?:ts|tsx|js))`((?:,? \*[^*]+\*)+)/g)].flatMap(([, path, names]) =>
        [...names.matchAll(/\*([^*]+)\*/g)].map(([, name]) => ({ line: index + 1, path, name })),
      ),
    )
}

function hasTest(source, name) {
  // The name is the first argument of test(…), or of the call that test.each(…) and its relatives return.
  return new RegExp(`(?:\\b(?:test|it)|\\))\\(\\s*['"\`]${RegExp.escape(name)}`).test(source)
}

/** `read` returns the content of a file, or undefined. A file that does not exist is reported by `missingPaths`. */
export function missingTests(files, packages, read) {
  return files.flatMap(([document, content]) =>
    namedTests(content)
      .filter(({ path, name }) => {
        const source = candidates(path, document, packages)
          .map(read)
          .find((found) => found !== undefined)
        return source !== undefined && !hasTest(source, name)
      })
      .map(({ line, path, name }) => `${document}:${line}: ${path} has no test whose name begins with "${name}"`),
  )
}

if (import.meta.main) {
  const packages = globSync('packages/*', { cwd: root }).map((path) => path.slice('packages/'.length))
  const paths = documents.flatMap((pattern) => globSync(pattern, { cwd: root })).sort()
  const files = paths.map((path) => [path, readFileSync(root + path, 'utf8')])
  const missing = [
    ...missingPaths(files, packages, (path) => existsSync(root + path)),
    ...missingTests(files, packages, (path) => (existsSync(root + path) ? readFileSync(root + path, 'utf8') : undefined)),
  ]
  for (const problem of missing) console.log(problem)
  process.exitCode = missing.length === 0 ? 0 : 1
}
