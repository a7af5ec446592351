#!/usr/bin/perl
# Stands for ps, lsof, sysctl, stat and date of a BSD (macOS), by the name it is called with: the real data of this machine in
# their dialect. What theirs do not know is refused as they refuse it. As on macOS, the session is 0 for everybody, the
# time of the boot moves with the clock, and the start of a process does not.
use strict;
use warnings;
use POSIX qw(strftime);

my $machine = '@MACHINE@';
my $proc = "$machine/proc";
my ($tool) = $0 =~ m{([^/]+)$};
my %tools = (ps => \&ps, lsof => \&lsof, sysctl => \&sysctl, stat => \&stat_, date => \&date);
exit $tools{$tool}->();

sub refuse {
  my ($what) = @_;
  print STDERR "$tool: $what\nusage: see the manual of macOS\n";
  exit 1;
}

sub slurp {
  my ($file) = @_;
  open my $in, '<', $file or return '';
  local $/;
  my $text = <$in>;
  return defined $text ? $text : '';
}

sub now { return time + (slurp("$machine/clock-offset") || 0) }

sub pids { opendir my $dir, $proc or return (); return sort { $a <=> $b } grep { /^\d+$/ } readdir $dir }

# Undefined for what is gone; a BSD has no threads of the kernel in its list.
sub process {
  my ($pid) = @_;
  my $stat = slurp("$proc/$pid/stat");
  my ($name, $rest) = $stat =~ /^\d+ \((.*)\) (.*)$/s or return undef;
  my @field = split ' ', $rest;
  return undef if $field[1] == 2 || $pid == 2;
  my $started = slurp("$machine/born") + $field[19] / 100;
  my %state = (D => 'U', t => 'T', X => 'Z', I => 'I');
  return {
    pid => $pid, ppid => $field[1], pgid => $field[2], sess => 0, name => $name,
    state => ($state{$field[0]} || $field[0]) . ($field[3] == $pid ? 's' : ''),
    lstart => strftime('%a %b %e %H:%M:%S %Y', localtime int $started),
    uid => (CORE::stat "$proc/$pid")[4],
  };
}

# One line each, whatever is in it.
sub visible { my ($text) = @_; $text =~ s/([\x00-\x1f\x7f])/sprintf '\\%03o', ord $1/ge; return $text }

sub command {
  my ($each, $with_environment) = @_;
  return '<defunct>' if $each->{state} =~ /^Z/;
  my @words = split /\0/, slurp("$proc/$each->{pid}/cmdline");
  return "($each->{name})" if !@words;
  push @words, split /\0/, slurp("$proc/$each->{pid}/environ") if $with_environment && shows_environment($each);
  return join ' ', map { visible($_) } @words;
}

# MacOS hides the environment of the programs that it brings, where the machine was made so.
sub shows_environment {
  my ($each) = @_;
  return 0 if $each->{uid} != $> && $> != 0;
  return 1 if !-e "$machine/hides-environments";
  my $program = readlink("$proc/$each->{pid}/exe") || '';
  return $program !~ m{^(/usr)?/s?bin/|^\Q$machine\E/real/};
}

sub ps {
  my (%flag, @columns, @wanted);
  my @args = @ARGV;
  while (@args) {
    my $arg = shift @args;
    refuse("illegal option -- -") if $arg =~ /^--/;
    refuse("illegal argument: $arg") if $arg !~ s/^-//;
    while ($arg =~ s/^(.)//) {
      my $letter = $1;
      if ($letter =~ /[opUu]/) {
        my $value = $arg ne '' ? $arg : shift @args;
        refuse("option requires an argument -- $letter") if !defined $value;
        push @columns, columns($value) if $letter eq 'o';
        push @wanted, split /[ ,]+/, $value if $letter eq 'p';
        $arg = '';
      } elsif ($letter =~ /[AaCEefhjlMmrSTvwXx]/) {
        $flag{$letter} = 1;
      } else {
        refuse("illegal option -- $letter");
      }
    }
  }
  refuse('the machine has only -o') if !@columns;
  my $all = $flag{A} || $flag{e} || ($flag{a} && $flag{x});
  my @found = grep { defined } map { process($_) } @wanted ? @wanted : pids();
  @found = grep { $_->{uid} == $> } @found if !@wanted && !$all;
  print join(' ', map { $_->{header} } @columns), "\n" if grep { $_->{header} ne '' } @columns;
  for my $each (@found) {
    my $line = join ' ', map { $_->{write}->($each, \%flag) } @columns;
    # Without -ww a line is as long as the terminal; with it, as it is.
    print $flag{w} ? $line : substr($line, 0, 400), "\n";
  }
  return @found ? 0 : 1;
}

# What follows an equals sign is a header, commas too.
sub columns {
  my ($list) = @_;
  my @columns;
  while ($list ne '') {
    my ($name, $header);
    if ($list =~ s/^([^,=]+)=(.*)$//s) { ($name, $header) = ($1, $2) }
    elsif ($list =~ s/^([^,=]+),?//) { ($name, $header) = ($1, uc $1) }
    else { refuse("$list: keyword not found") }
    push @columns, { header => $header, write => writer($name) };
  }
  return @columns;
}

sub writer {
  my ($name) = @_;
  my %number = map { $_ => 1 } qw(pid ppid pgid sess uid);
  return sub { sprintf '%5s', $_[0]{$name} } if $number{$name};
  return sub { sprintf '%-4s', $_[0]{state} } if $name eq 'stat' || $name eq 'state';
  return sub { sprintf '%-28s', $_[0]{lstart} } if $name eq 'lstart';
  return sub { sprintf '%-16s', visible(substr $_[0]{name}, 0, 16) } if $name eq 'ucomm';
  return sub { my @words = split /\0/, slurp("$proc/$_[0]{pid}/cmdline"); visible($words[0] || "($_[0]{name})") } if $name eq 'comm';
  return sub { command($_[0], $_[1]{E}) } if $name eq 'command' || $name eq 'args';
  refuse("$name: keyword not found");
}

sub lsof {
  my (%flag, @pids, @descriptors, @files);
  my $fields;
  my @args = @ARGV;
  while (@args) {
    my $arg = shift @args;
    if ($arg eq '--') { push @files, @args; last }
    if ($arg !~ s/^-//) { push @files, $arg; next }
    while ($arg =~ s/^(.)//) {
      my $letter = $1;
      if ($letter =~ /[pduF]/) {
        my $value = $arg ne '' ? $arg : $letter eq 'F' && (!@args || $args[0] =~ /^-/) ? '' : shift @args;
        @pids = split /,/, $value if $letter eq 'p';
        @descriptors = split /,/, $value if $letter eq 'd';
        $fields = $value if $letter eq 'F';
        $arg = '';
      } elsif ($letter =~ /[anPtwbOl]/) {
        $flag{$letter} = 1;
      } else {
        refuse("illegal option character: $letter");
      }
    }
  }
  my %wanted_file = map { my @s = CORE::stat $_; @s ? ("$s[0] $s[1]" => 1) : () } @files;
  my %wanted_fd = map { $_ => 1 } @descriptors;
  my $found = 0;
  for my $pid (@pids ? @pids : pids()) {
    my @open = open_files($pid, \%wanted_fd);
    @open = grep { $wanted_file{$_->{file}} } @open if @files;
    next if !@open;
    $found = 1;
    if ($flag{t}) { print "$pid\n"; next }
    refuse('the machine has only -t and -F') if !defined $fields;
    print "p$pid\n";
    for my $each (@open) {
      print "f$each->{fd}\n";
      print "a$each->{access}\n" if $fields =~ /a/;
      print 'n', escaped($each->{name}), "\n" if $fields =~ /n/;
    }
  }
  return $found ? 0 : 1;
}

sub open_files {
  my ($pid, $wanted) = @_;
  my @names = ('cwd');
  if (opendir my $dir, "$proc/$pid/fd") { push @names, sort { $a <=> $b } grep { /^\d+$/ } readdir $dir }
  my @open;
  for my $fd (@names) {
    next if %$wanted && !$wanted->{$fd};
    my $link = $fd eq 'cwd' ? "$proc/$pid/cwd" : "$proc/$pid/fd/$fd";
    my $name = readlink $link;
    next if !defined $name;
    my @stat = CORE::stat $link;
    my ($flags) = slurp("$proc/$pid/fdinfo/$fd") =~ /^flags:\s*([0-7]+)/m;
    my $access = defined $flags ? ('r', 'w', 'u', 'u')[oct($flags) & 3] : ' ';
    $name =~ s/ \(deleted\)$//;
    push @open, { fd => $fd, access => $access, name => $name, file => @stat ? "$stat[0] $stat[1]" : '' };
  }
  return @open;
}

sub escaped { my ($name) = @_; $name =~ s/([^\x20-\x7e])/$1 eq "\n" ? '\\n' : sprintf '\\x%02x', ord $1/ge; return $name }

sub sysctl {
  my $bare = grep { $_ eq '-n' } @ARGV;
  my @names = grep { $_ ne '-n' } @ARGV;
  my $code = 0;
  for my $name (@names) {
    refuse("illegal option -- $name") if $name =~ /^-/;
    my $boot = slurp("$machine/boot");
    chomp $boot;
    my ($uptime) = split ' ', slurp("$proc/uptime");
    my $booted = int(now() - $uptime);
    my %value = (
      'kern.bootsessionuuid' => uc $boot,
      'kern.boottime' => "{ sec = $booted, usec = 0 } " . strftime('%a %b %e %H:%M:%S %Y', localtime $booted),
      'kern.ostype' => 'Darwin',
      'hw.ncpu' => scalar(grep { /^processor/m } split /\n\n/, slurp("$proc/cpuinfo")),
    );
    if (!defined $value{$name}) { print STDERR "sysctl: unknown oid '$name'\n"; $code = 1; next }
    print $bare ? '' : "$name: ", "$value{$name}\n";
  }
  return $code;
}

# Only the format is BSD's own; what is asked of a file is the same everywhere.
sub stat_ {
  my ($format, $follows, @files) = ('%d %i %Sp %l', 0);
  my @args = @ARGV;
  while (@args) {
    my $arg = shift @args;
    if ($arg eq '-f') { $format = shift @args }
    elsif ($arg eq '-L') { $follows = 1 }
    elsif ($arg eq '-n' || $arg eq '-q') { }
    elsif ($arg =~ /^-/) { refuse("illegal option -- " . substr $arg, 1, 1) }
    else { push @files, $arg }
  }
  my $code = 0;
  for my $file (@files) {
    my @s = $follows ? CORE::stat $file : lstat $file;
    if (!@s) { print STDERR "stat: $file: stat: No such file or directory\n"; $code = 1; next }
    my %value = (d => $s[0], i => $s[1], l => $s[3], u => $s[4], g => $s[5], z => $s[7], a => $s[8], m => $s[9], c => $s[10], b => $s[12], N => $file, Lp => sprintf('%o', $s[2] & 07777), p => sprintf('%o', $s[2]));
    (my $text = $format) =~ s/%(Lp|[diluzgamcbNp])/$value{$1}/g;
    refuse("$format: bad format") if $text =~ /%[^%]/;
    print "$text\n";
  }
  return $code;
}

sub date {
  my ($time, $utc, $format) = (now(), 0, '%a %b %e %H:%M:%S %Z %Y');
  my @args = @ARGV;
  while (@args) {
    my $arg = shift @args;
    if ($arg eq '-u') { $utc = 1 }
    elsif ($arg eq '-j') { }
    elsif ($arg eq '-r') { my $of = shift @args; $time = $of =~ /^\d+$/ ? $of : (CORE::stat $of)[9] }
    elsif ($arg =~ s/^\+//) { $format = $arg }
    else { refuse("illegal option -- $arg") }
  }
  # Theirs knows no nanoseconds and prints the letter.
  $format =~ s/%N/N/g;
  print strftime($format, $utc ? gmtime $time : localtime $time), "\n";
  return 0;
}
