/** Each would run something if a page turned it into markup, a URL or a formula. */
export const attacks = [
  '<script>window.attacked=1</script>',
  '"><img src=x onerror="window.attacked=1">',
  "javascript:window.attacked=1//'",
  '<svg onload=window.attacked=1>',
  '{{constructor.constructor("window.attacked=1")()}}',
  '=HYPERLINK("http://evil.example","x")',
  '\u202eevil\u202c \u0000 \ud800 ﷽ 𝕏',
];
