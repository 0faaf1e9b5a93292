# Holds times, "user system /package" and "user system all", against the budget,
# "package seconds", which comes first. A package without a line has half a second.
function row(name, used, most) {
  over = used > 1.2 * most
  printf "%7.2f s of %4.1f  %s%s\n", used, most, name, over ? "  TOO MUCH" : "" | "sort -rn"
  failed = failed || over
}
function home(package) {
  for (i = 1; i <= lines; i++)
    if (package == line[i] || index(package, line[i] "/") == 1) return line[i]
  budget[package] = 0.5
  return package
}
/^#/ { next }
/^[^0-9]/ { line[++lines] = $1; budget[$1] = $2; next }
$3 == "all" { total = $1 + $2; next }
{
  programs++
  sum += $1 + $2
  used[home($3 == "" ? "." : substr($3, 2))] += $1 + $2
}
END {
  for (name in used) row(name, used[name], budget[name])
  row("linking " programs " test programs", total - sum, budget["link"] * programs)
  row("total", total, budget["total"])
  close("sort -rn")
  exit failed
}
