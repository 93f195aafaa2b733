// Run by the pinned Node: node bundle-typebox.js FOLDER
import { mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { build } from 'rolldown'

const [folder] = process.argv.slice(2)
const arriving = `${folder}.${process.pid}`
await build({
  input: { typebox: 'typebox', compile: 'typebox/compile', value: 'typebox/value' },
  platform: 'node',
  output: { dir: arriving, format: 'esm', entryFileNames: '[name].js', chunkFileNames: 'shared-[hash].js' },
  logLevel: 'warn',
})
writeFileSync(`${arriving}/package.json`, '{ "type": "module" }\n')
writeFileSync(`${arriving}/complete`, '')
rmSync(folder, { recursive: true, force: true })
mkdirSync(`${folder}/..`, { recursive: true })
renameSync(arriving, folder)
