// Which text format a file name stands for. A name that is not listed says nothing.
import { basename, extname } from 'node:path'

const endings = {
  markdown: 'md markdown mdown mkd mkdn mdx qmd rmd',
  csv: 'csv tsv',
  text: 'txt text log rst adoc asciidoc org tex',
  code:
    'js mjs cjs jsx ts mts cts tsx vue svelte astro py pyi rb php pl pm lua r jl java kt kts scala groovy gradle clj cljs edn ex exs erl hrl ' +
    'hs ml mli fs fsx elm go rs zig nim d c h cc cpp cxx hh hpp hxx m mm cs vb swift dart sol v sv vhd vhdl asm s sh bash zsh fish ps1 bat cmd ' +
    'sql graphql gql proto thrift css scss sass less styl xml xsd xsl svg json jsonc json5 yaml yml toml ini cfg conf properties env editorconfig ' +
    'dockerfile makefile cmake mk nix tf tfvars hcl bicep rego lisp el scm rkt tcl awk sed vim diff patch ipynb lock',
} as const

type NamedFormat = keyof typeof endings

const formats: ReadonlyMap<string, NamedFormat> = new Map(
  Object.entries(endings).flatMap(([format, list]) => list.split(' ').map((ending) => [ending, format as NamedFormat] as const)),
)

const codeNames = /^(?:dockerfile|makefile|gnumakefile|rakefile|gemfile|vagrantfile|jenkinsfile|procfile|cmakelists\.txt|go\.mod|go\.sum)$/i

export function textFormatByName(name: string): NamedFormat | null {
  if (codeNames.test(basename(name))) return 'code'
  return formats.get(extname(name).slice(1).toLowerCase()) ?? null
}
