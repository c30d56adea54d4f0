// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {ICheats} from "../../contracts/testing/ICheats.sol";
import {IBalanceActions} from "../../contracts/interfaces/proxy/IBalanceActions.sol";
import {BalanceProxy} from "../../contracts/proxy/BalanceProxy.sol";
import {Notes} from "./Payments.sol";
import {ISymbols, Proof} from "./Proof.sol";

/// @title WatchedToken
/// @notice A token that moves what is asked, and notes whether that was more than the account or its allowance had.
contract WatchedToken {
    bool public isOverdrawn;

    mapping(address account => uint256) public balanceOf;
    mapping(address owner => mapping(address spender => uint256)) public allowance;

    function approve(address spender, uint256 amount) external returns (bool) {
        allowance[msg.sender][spender] = amount;
        return true;
    }

    function transfer(address to, uint256 amount) external returns (bool) {
        return _move(msg.sender, to, amount);
    }

    function transferFrom(address from, address to, uint256 amount) external returns (bool) {
        if (amount > allowance[from][msg.sender]) isOverdrawn = true;
        return _move(from, to, amount);
    }

    function setBalance(address account, uint256 balance) external {
        balanceOf[account] = balance;
    }

    function _move(address from, address to, uint256 amount) private returns (bool) {
        if (amount > balanceOf[from]) isOverdrawn = true;
        unchecked {
            balanceOf[from] -= amount;
            balanceOf[to] += amount;
        }
        return true;
    }
}

/// @title AnyTarget
/// @notice A target that notes its calldata, leaves its caller any amount of the token and of native money, and returns any word.
contract AnyTarget {
    ICheats private constant VM = ICheats(0x7109709ECfa91a80626fF3989D68f67F5b1DD12D);
    ISymbols private constant SYMBOLS = ISymbols(0xF3993A62377BCd56AE39D773740A5390411E8BC9);

    WatchedToken private immutable TOKEN;
    Notes private immutable NOTES;

    uint256 public left;
    uint256 public leftNative;

    constructor(WatchedToken token, Notes notes) {
        (TOKEN, NOTES) = (token, notes);
    }

    fallback(bytes calldata data) external payable returns (bytes memory) {
        NOTES.note(keccak256(data));
        (left, leftNative) = (SYMBOLS.createUint256("left"), SYMBOLS.createUint256("left of native money"));
        TOKEN.setBalance(msg.sender, left);
        VM.deal(msg.sender, leftNative);
        return abi.encode(SYMBOLS.createUint256("answer"));
    }
}

/// @title SweepProofs
/// @notice From any balances, and whatever the target does, proxy and executor never send or pull more than is there, and the rest
/// reaches its recipient whole. The target gets the step's calldata with the balances in the words of the splices.
contract SweepProofs is Proof {
    address private constant RECIPIENT = address(0x4EC);
    address private constant NATIVE_RECIPIENT = address(0x4ED);

    /// @dev Of no function of the target.
    bytes4 private constant SELECTOR = 0xc0ffee00;

    BalanceProxy private _proxy;
    address private _executor;
    WatchedToken private _token;
    AnyTarget private _target;
    Notes private _notes;

    function setUp() external {
        _notes = new Notes();
        _token = WatchedToken(_anyStateOf(address(new WatchedToken())));
        _target = new AnyTarget(_token, _notes);
        _proxy = new BalanceProxy();
        _executor = _proxy.executor();
    }

    /// @custom:mutant contracts/proxy/BalanceExecutor.sol: else token.safeTransfer(asset.recipient, left); -> else token.safeTransfer(asset.recipient, left + 1);
    function check_ExecutionSweepsWhatIsThere(
        address caller,
        bool viaProxy,
        bool hasStep,
        uint256 value
    ) external {
        VM.assume(caller != RECIPIENT && caller != NATIVE_RECIPIENT);
        _assumeStart();
        uint256 held = _token.balanceOf(_executor);
        if (viaProxy) {
            uint256 allowed = _token.allowance(caller, address(_proxy));
            uint256 ofCaller = _token.balanceOf(caller);
            unchecked {
                held += ofCaller < allowed ? ofCaller : allowed;
            }
        }
        uint256 heldNative = _executor.balance;
        uint256 before = _token.balanceOf(RECIPIENT);
        uint256 nativeBefore = NATIVE_RECIPIENT.balance;
        IBalanceActions.Step memory step = _step(abi.encodePacked(SELECTOR), new IBalanceActions.Splice[](0));
        bytes memory data = _execution(hasStep ? _steps(step) : new IBalanceActions.Step[](0));
        if (!_callAs(caller, viaProxy ? address(_proxy) : _executor, value, data)) return;

        _checkSwept(_executor, before, hasStep ? _target.left() : held);
        unchecked {
            uint256 sweptNative = NATIVE_RECIPIENT.balance - nativeBefore;
            assert(sweptNative == (hasStep ? _target.leftNative() : heldNative + value));
        }
        assert(_executor.balance == 0);
    }

    /// @custom:mutant contracts/proxy/BalanceExecutor.sol: _sweepNative(recipient, native - nativeBefore) -> _sweepNative(recipient, native)
    function check_SpendSweepsWhatIsThere(address caller, bool viaProxy, uint256 minimum) external {
        VM.assume(caller != RECIPIENT);
        _assumeStart();
        uint256 heldNative = _executor.balance;
        uint256 before = _token.balanceOf(RECIPIENT);
        uint256 nativeBefore = RECIPIENT.balance;
        bytes memory data = abi.encodeCall(
            IBalanceActions.spend,
            (address(_token), minimum, address(_target), 4, new bytes(36), RECIPIENT)
        );
        if (!_callAs(caller, viaProxy ? address(_proxy) : _executor, 0, data)) return;

        _checkSwept(_executor, before, _target.left());
        uint256 leftNative = _target.leftNative();
        unchecked {
            uint256 sweptNative = RECIPIENT.balance - nativeBefore;
            assert(sweptNative == (leftNative > heldNative ? leftNative - heldNative : 0));
        }
    }

    /// @custom:mutant contracts/proxy/BalanceProxy.sol: if (allowed < amount) amount = allowed; -> // nothing
    function check_DepositSweepsWhatIsThere(address caller, uint256 minimum, address other) external {
        _assumeStart();
        VM.assume(caller != RECIPIENT && other != caller && other != RECIPIENT && other != address(_proxy));
        uint256 ofOther = _token.balanceOf(other);
        uint256 before = _token.balanceOf(RECIPIENT);
        bytes memory data = abi.encodeCall(
            BalanceProxy.depositErc4626,
            (address(_target), address(_token), minimum, RECIPIENT)
        );
        if (!_callAs(caller, address(_proxy), 0, data)) return;

        _checkSwept(address(_proxy), before, _target.left());
        assert(_token.balanceOf(other) == ofOther);
    }

    /// @notice Two splices into 72 bytes, at all places.
    /// @custom:mutant contracts/proxy/BalanceExecutor.sol: CalldataSplice.write(data, splice.offset, balances[_placeOf(splice.token, assets)]) -> CalldataSplice.write(data, splice.offset, balances[0])
    function check_TargetsGetTheBalancesInTheSplices(
        address caller,
        bytes32 gap,
        uint256 first,
        uint256 second
    ) external {
        _assumeStart();
        // Memory offsets must be concrete.
        for (uint256 one = 4; one <= 8; ++one) {
            for (uint256 other = one + 32; other <= 40; ++other) {
                if (first == one && second == other) return _checkSplices(caller, gap, one, other);
            }
        }
    }

    function _checkSplices(address caller, bytes32 gap, uint256 first, uint256 second) private {
        IBalanceActions.Splice[] memory splices = new IBalanceActions.Splice[](2);
        splices[0] = IBalanceActions.Splice(first, address(0));
        splices[1] = IBalanceActions.Splice(second, address(_token));
        bytes memory data = _join(gap, first, second, 0, 0);
        IBalanceActions.Step memory step = _step(data, splices);
        (uint256 ofToken, uint256 native) = (_token.balanceOf(_executor), _executor.balance);
        if (!_callAs(caller, _executor, 0, _execution(_steps(step)))) return;
        assert(_notes.isNoted(keccak256(_join(gap, first, second, native, ofToken))));
    }

    /// @dev 72 bytes, with words at two places and parts of a gap around them.
    function _join(
        bytes32 gap,
        uint256 first,
        uint256 second,
        uint256 one,
        uint256 other
    ) private pure returns (bytes memory data) {
        data = bytes.concat(SELECTOR, _cut(gap, first - 4), bytes32(one), _cut(gap, second - first - 32));
        return bytes.concat(data, bytes32(other), _cut(gap, 40 - second));
    }

    function _cut(bytes32 word, uint256 length) private pure returns (bytes memory part) {
        part = abi.encode(word);
        assembly ("memory-safe") {
            mstore(part, length)
        }
    }

    /// @dev The recipient got exactly the target's leftover, or what was there before the call.
    function _checkSwept(address holder, uint256 before, uint256 left) private view {
        assert(!_token.isOverdrawn());
        assert(_token.balanceOf(holder) == 0);
        unchecked {
            assert(_token.balanceOf(RECIPIENT) - before == left);
        }
    }

    function _assumeStart() private {
        VM.assume(!_token.isOverdrawn());
        VM.deal(_executor, SYMBOLS.createUint256("native money"));
    }

    /// @dev Sweeps the token and native money to two recipients.
    function _execution(IBalanceActions.Step[] memory steps) private view returns (bytes memory) {
        IBalanceActions.Asset[] memory assets = new IBalanceActions.Asset[](2);
        assets[0] = IBalanceActions.Asset(address(_token), 0, RECIPIENT, 0);
        assets[1] = IBalanceActions.Asset(address(0), 0, NATIVE_RECIPIENT, 0);
        return abi.encodeCall(IBalanceActions.execute, (assets, steps));
    }

    function _steps(
        IBalanceActions.Step memory step
    ) private pure returns (IBalanceActions.Step[] memory steps) {
        steps = new IBalanceActions.Step[](1);
        steps[0] = step;
    }

    function _step(
        bytes memory data,
        IBalanceActions.Splice[] memory splices
    ) private view returns (IBalanceActions.Step memory) {
        return IBalanceActions.Step(address(_target), address(_token), 0, false, data, splices);
    }
}
