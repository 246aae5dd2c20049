<?php

namespace Monolog\Handler;

use Monolog\Logger as Log;
require_once 'bootstrap.php';

/** Writes records. */
#[Attribute]
abstract class Handler extends Base implements HandlerInterface
{
    const LIMIT = 1;
    protected int $level = 1;

    public function handle(array $record): bool
    {
        return true;
    }

    abstract protected function write();
}

interface HandlerInterface { function handle(); }
trait Formats { }
enum Level: string { case Debug = 'd'; }
function helper() {}
