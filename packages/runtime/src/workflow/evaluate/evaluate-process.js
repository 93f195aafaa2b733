// Plain JavaScript, so that the bundled program and the sources start it by the same name.
await import('./evaluate-main.ts')
